let chatHistoryTargets: [String: Target] = [
    "book": fuzzBook,
    "padding": fuzzPadding,
]

#if FUZZING
    let targets = chatHistoryTargets
#endif
