"""A hostile node, and real nodes of the command `earshot` that it attacks in network namespaces."""
