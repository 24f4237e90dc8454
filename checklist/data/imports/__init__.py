"""Read data from other formats, as rows of our JSON Lines."""
