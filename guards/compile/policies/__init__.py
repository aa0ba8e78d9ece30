"""One record per policy file; the list of them is guards/compile/catalog.py.

It cannot stand here: a hook call makes its package objects itself, and no `__init__` code runs.
"""
