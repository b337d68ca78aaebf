let targets: [String: Target] = [
    "book": fuzzBook,
    "padding": fuzzPadding,
]
