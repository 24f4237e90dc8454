"""The commands of `shakeproof`, each a module that imports what it needs when it runs."""
