let targets: [String: Target] = [
    "content": fuzzContent,
    "changes": fuzzChanges,
    "history": fuzzHistory,
    "archive": fuzzArchive,
    "growing": fuzzGrowing,
]
