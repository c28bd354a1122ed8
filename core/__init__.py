"""The engine: documents, findings, the reader at inference, reports. No Qt, no torch."""

import os

# onnxruntime from 1.29 on reports its use to its maker unless this is set before it is imported.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
