"""Text below the corpora: word diffs, parses, near duplicates, and spans from revisions."""
