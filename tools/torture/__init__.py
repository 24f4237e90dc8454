"""Campaigns of hard use: each tries to break one promise of docs/promises.md."""
