let chatCryptoTargets: [String: Target] = [
    "backup": fuzzBackup,
    "bundle": fuzzBundle,
    "exchange-record": fuzzExchangeRecord,
    "flight": fuzzFlight,
    "group-operation": fuzzGroupOperation,
    "group-packet": fuzzGroupPacket,
    "group-record": fuzzGroupRecord,
    "group-secret": fuzzGroupSecret,
    "group-welcome": fuzzGroupWelcome,
    "identity-record": fuzzIdentityRecord,
    "join": fuzzJoin,
    "key-file": fuzzKeyFile,
    "mailbox": fuzzMailbox,
    "nickname": fuzzNickname,
    "noise": fuzzNoise,
    "prekey-record": fuzzPrekeyRecord,
    "ratchet": fuzzRatchet,
    "replay-record": fuzzReplayRecord,
    "revocation": fuzzRevocation,
    "room-packet": fuzzRoomPacket,
    "room-text": fuzzRoomText,
    "rotation": fuzzRotation,
    "session-record": fuzzSessionRecord,
    "trust-record": fuzzTrustRecord,
    "vault": fuzzVault,
]

#if FUZZING
    let targets = chatCryptoTargets
#endif
