"""What every audit of a generator needs: prompts, a causal language model, sampling, and kept texts."""
