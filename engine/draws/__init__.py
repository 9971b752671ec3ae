"""Seeded draws of tables and seats that anybody can repeat."""
