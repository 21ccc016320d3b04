"""Where the data lives: connections that run a SELECT and give back a few rows, counted and logged at one door."""
