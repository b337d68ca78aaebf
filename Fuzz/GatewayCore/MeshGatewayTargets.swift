let meshGatewayTargets: [String: Target] = [
    "nats": fuzzNATS
]

#if FUZZING
    let targets = meshGatewayTargets
#endif
