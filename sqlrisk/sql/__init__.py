"""A policy's questions as SQL of one dialect, bound on the syntax tree. Nothing here knows a risk or an estimator."""
