"""What earlier runs of a policy measured: kept in a database, compared with, and followed over time."""
