"""Models from elsewhere: what to do where one is lacking, and the dialog that gets them."""
