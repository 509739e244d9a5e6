"""KataGo's analysis protocol for our games: many positions at a time, in lines of JSON.

A line of input is read (reading.py; request.py and overrides.py declare the fields), its game is
played (games.py), and its positions wait for a thread of the pool (service.py, in_progress.py).
What is found becomes lines again (answers.py, writer.py). pipes.py owns the pipes.
The protocol is protocol_specs/clients/analysis-engine.md.

May import: no other folder.
Begin with: `pipes.serve`, `service.Service`, `request.AnalysisRequest`.
"""
