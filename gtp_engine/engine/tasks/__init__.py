"""Tasks for people: lessons, puzzles and endgames, and the judge of what they play.

May import: view.
Begin with: `lessons.lessons_of`, `puzzle.Puzzle`, `judging`.
"""
