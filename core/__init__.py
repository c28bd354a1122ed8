"""The engine: documents, findings, the reader at inference, reports. No Qt, no torch."""
