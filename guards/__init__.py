"""Guards: small, machine-level hook guards for coding agents."""
