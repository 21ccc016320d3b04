"""sqlrisk inside a dbt project: its package, its manifest and profile, and the models that declare a policy."""
