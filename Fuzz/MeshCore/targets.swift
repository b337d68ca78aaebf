let targets: [String: Target] = [
    "beacon": fuzzBeacon,
    "blob": fuzzBlob,
    "datagram": fuzzDatagram,
    "engine": fuzzEngine,
    "envelope": fuzzEnvelope,
    "frame": fuzzFrame,
    "link": fuzzLink,
    "router": fuzzRouter,
]
