"""The rewriter at training time: a BART that puts other words in the place of flagged ones."""
