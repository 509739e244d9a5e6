"""The look of boards and pieces as data, for pictures and pages."""
