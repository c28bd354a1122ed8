"""The reader at inference: sentences in, cues, findings, political leaning and a report out."""
