"""What `import shakeproof` offers: run, build and register from Python."""
