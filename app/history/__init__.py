"""The history of a document: its versions with their scores, the timeline, and comparing with them."""
