let targets: [String: Target] = [
    "beacon": fuzzBeacon,
    "datagram": fuzzDatagram,
    "engine": fuzzEngine,
    "envelope": fuzzEnvelope,
    "frame": fuzzFrame,
    "link": fuzzLink,
    "router": fuzzRouter,
    "tree": fuzzTree,
]
