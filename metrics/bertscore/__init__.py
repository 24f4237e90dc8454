"""BERTScore: the scorer, its matching, idf weights, rescaling and token similarity."""
