"""The systems that learn: sentence classifiers, taggers, and the bundled reader as one of them."""
