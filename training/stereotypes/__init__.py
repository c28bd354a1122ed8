"""What the app knows of stereotyped words and cannot work out itself: tables made here, and figures of a reader."""
