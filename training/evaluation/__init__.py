"""Tables of the product's own results, and what all tables of trained cells share."""
