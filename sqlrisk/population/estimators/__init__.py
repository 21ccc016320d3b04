"""One model a file: ``estimate(sample)`` fits it to the frequency of frequencies."""
