"""Models: their files, how they are loaded, and what they compute. Only here is torch imported."""
