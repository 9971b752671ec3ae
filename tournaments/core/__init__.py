"""Shared by all subjects: transitions, locks, the log, permissions, names."""
