"""Numbers in, numbers out: the risk models. Nothing here knows SQL, a file or a warehouse."""
