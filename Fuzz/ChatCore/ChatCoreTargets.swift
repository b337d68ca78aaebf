let chatCoreTargets: [String: Target] = [
    "blob": fuzzBlob,
    "content": fuzzContent,
    "changes": fuzzChanges,
    "history": fuzzHistory,
    "archive": fuzzArchive,
    "growing": fuzzGrowing,
]

#if FUZZING
    let targets = chatCoreTargets
#endif
