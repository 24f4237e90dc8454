"""What is being tested: scorers, metrics over them, and the engine that runs them."""
