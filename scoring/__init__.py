"""Stored score sheets: entries, replayed state, the Auditor's page, the protocol."""
