"""Who rates chunks: this process, local worker processes, or the actors of a Ray cluster."""
