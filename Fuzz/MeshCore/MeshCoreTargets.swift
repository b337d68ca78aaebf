let meshCoreTargets: [String: Target] = [
    "beacon": fuzzBeacon,
    "datagram": fuzzDatagram,
    "engine": fuzzEngine,
    "envelope": fuzzEnvelope,
    "frame": fuzzFrame,
    "link": fuzzLink,
    "probe": fuzzProbe,
    "path": fuzzPath,
    "router": fuzzRouter,
    "store-log": fuzzStoreLog,
    "symbols": fuzzSymbols,
    "tree": fuzzTree,
]

#if FUZZING
    let targets = meshCoreTargets
#endif
