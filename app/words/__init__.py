"""The words panel: how biased the model reads each word of the draft alone, and the effect of a more general word."""
