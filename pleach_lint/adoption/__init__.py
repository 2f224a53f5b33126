"""What `pleach-lint init` would change in a repository, as texts. Writes nothing."""
