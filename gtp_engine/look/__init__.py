"""The look of boards and pieces as data, for everything that draws: pictures and pages."""
