"""A cross-encoder, its distillation, and the speed of providers, within a short time on a machine with a GPU."""
