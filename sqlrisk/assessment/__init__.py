"""Where the rooms meet: policy, SQL, warehouse, risk, limits and result. One procedure a command."""
