"""What touches the network, each only when a person asks: HTTPS calls, large downloads, Wikipedia articles."""
