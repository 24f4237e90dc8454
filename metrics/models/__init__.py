"""Models: files, loading, devices, tokens, embeddings. Only this folder imports torch."""
