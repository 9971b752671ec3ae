"""Seeded draws of tables and seats that anyone can repeat."""
