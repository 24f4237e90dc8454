"""What the page shows, a module for each section."""
