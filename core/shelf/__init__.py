"""The shelf: trained and imported models beside the bundled ones, and which of them are in use."""
