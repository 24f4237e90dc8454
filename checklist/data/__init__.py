"""Data sets: segments, how they are read, and other people's layouts."""
