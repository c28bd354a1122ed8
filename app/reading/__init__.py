"""Reading in the background: the thread, what it is asked, and what it says of findings and wordings."""
