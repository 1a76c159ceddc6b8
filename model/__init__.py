"""The arithmetic of speculative decoding: one step, simulated bursts, and their exact finish times."""
