#if !FUZZING
    @testable import ChatCrypto
#endif

/// Two people; the first has written and received an answer.
struct People: Sendable {
    /// Units: seconds since 1970.
    static let now: UInt32 = 1_800_003_600
    let identities: [Identity]
    private(set) var tables: [SessionTable]
    private(set) var sessionRecords: [[UInt8]] = []

    init() {
        makeRandomnessRepeatable()
        identities = [Identity(), Identity()]
        tables = identities.map { identity in
            required { try SessionTable.restore([], identity: identity, nickname: Nickname("Bob"), at: Self.now).table }
        }
        let first = send([1, 2, 3], by: 0)
        keepRecords()
        receive(first, by: 1)
        keepRecords()
        _ = send([4], by: 1)
        receive(send([5], by: 1), by: 0)
        keepRecords()
    }

    /// Returns a person's only session.
    func session(of person: Int) -> Session {
        required { tables[person].peers.values.first?.primarySession }
    }

    var prekey: Prekey { tables[1].prekeys.current }

    private mutating func send(_ content: [UInt8], by person: Int) -> InboundPacket {
        let bundle = tables[1 - person].bundle
        let message = required {
            try tables[person].seal([content], to: bundle.identity, bundle: bundle, at: Self.now).message
        }
        return InboundPacket(kind: message.kind, body: message.body)
    }

    private mutating func receive(_ packet: InboundPacket, by person: Int) {
        let opened = required { tables[person].open(packet, at: Self.now) }
        _ = required { try tables[person].commit(opened, sentAt: Self.now) }
    }

    private mutating func keepRecords() {
        for sessions in tables.flatMap({ $0.peers.values }) {
            for session in sessions.sessions { sessionRecords.append(session.encoded().withBytes { Array($0) }) }
        }
    }
}

let people = People()

/// Returns a value that is missing only if the fuzzer itself is wrong.
func required<Value>(_ value: () throws -> Value?) -> Value {
    do {
        guard let value = try value() else { preconditionFailure("nothing") }
        return value
    } catch {
        preconditionFailure("\(error)")
    }
}

extension SecretBytes {
    var exposed: [UInt8] { withBytes { Array($0) } }
}
