"""Words, tokens, rules of English and diffs: plain functions on strings that know no document and no model."""
