"""Parts of the result document that commands beside ``assess`` measure, one module a command."""
