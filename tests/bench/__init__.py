"""Paired ratios of whole hooks to a bare interpreter start, in one run."""
