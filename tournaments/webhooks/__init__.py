"""Webhooks: other programs are told what happens at an event."""
