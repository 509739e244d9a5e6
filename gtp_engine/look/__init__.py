"""The look of boards and pieces: data for pages, and pictures drawn from it."""
