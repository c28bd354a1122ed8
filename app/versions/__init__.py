"""The history of a draft: versions with their scores, comparing, the store behind them."""
