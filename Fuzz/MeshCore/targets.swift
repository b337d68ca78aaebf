let targets: [String: Target] = [
    "beacon": fuzzBeacon,
    "datagram": fuzzDatagram,
    "engine": fuzzEngine,
    "envelope": fuzzEnvelope,
    "frame": fuzzFrame,
    "link": fuzzLink,
    "path": fuzzPath,
    "router": fuzzRouter,
]
