"""`[tool.pleach-lint]` and the options that override it. Decides no file and no finding."""
