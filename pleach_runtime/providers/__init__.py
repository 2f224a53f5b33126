"""Adapters to the SDKs of real providers, each an extra. What the runtime asks of a provider is in `provider.py`."""
