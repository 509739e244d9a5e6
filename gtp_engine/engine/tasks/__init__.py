"""Tasks for people: lessons, puzzles and endgames as exercises, and the judge of what they play.

May import: view.
Begin with: `exercise.Exercise`, `judging.judge`.
"""


class BadExercise(ValueError):
    """An exercise or a file of exercises has a fault; the text says where, and what is wrong."""
