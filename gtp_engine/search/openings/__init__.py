"""The first turns of a board, and which of them White should swap.

May import: no other folder.
Begin with: `swap_maps.SwapMap`, `swap_maps.first_turns`.
"""
