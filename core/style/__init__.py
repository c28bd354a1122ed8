"""House style: packs of rules, matched beside the reader's findings and never mixed up with them."""
