import Testing

@testable import ChatCrypto

@Suite("CPace")
struct CPaceTests {
    @Test("Runs are the known ones", arguments: try VectorFile("cpace").cases)
    func knownAnswers(known: VectorCase) throws {
        let password = SecretBytes(copying: try known.bytes("password"))
        let channel = try known.bytes("channel")
        let session = try known.bytes("session")
        let generator = CPace.generator(password: password, channel: channel, session: session)
        #expect(generator.exposed == (try known.bytes("generator")))
        func side(_ name: String) throws -> CPace {
            let scalar = SecretBytes(copying: try known.bytes("\(name) scalar"))
            let run = CPace(password: password, channel: channel, session: session, scalar: scalar)
            #expect(run.point == (try known.bytes("\(name) point")))
            return run
        }
        let (initiator, responder) = (try side("initiator"), try side("responder"))
        let transcript = CPace.Transcript(
            initiatorPoint: initiator.point,
            initiatorData: try known.bytes("initiator data"),
            responderPoint: responder.point,
            responderData: try known.bytes("responder data")
        )
        let shared = try known.bytes("shared key")
        #expect(initiator.sharedKey(with: responder.point, transcript: transcript)?.exposed == shared)
        #expect(responder.sharedKey(with: initiator.point, transcript: transcript)?.exposed == shared)
        guard known.has("host tag") else { return }
        let kemSecret = try KEM768.decapsulate(
            try known.bytes("KEM ciphertext"),
            seed: SecretBytes(copying: try known.bytes("KEM seed"))
        )
        #expect(kemSecret.exposed == (try known.bytes("KEM secret")))
        for (run, other) in [(initiator, responder), (responder, initiator)] {
            let keys = try #require(
                JoinKeys(
                    run,
                    session: session,
                    otherPoint: other.point,
                    transcript: transcript,
                    kemSecret: kemSecret
                )
            )
            #expect(keys.toHost.exposed == (try known.bytes("key to host")))
            #expect(keys.toJoiner.exposed == (try known.bytes("key to joiner")))
            #expect(keys.joinerTag == (try known.bytes("joiner tag")))
            #expect(keys.hostTag == (try known.bytes("host tag")))
        }
    }

    @Test("The first two join messages are the known ones, and read as what they are")
    func joinMessages() throws {
        let known = try VectorFile("cpace").cases[1]
        let people = try KnownPeople()
        let kemKey = try KEM768.key(seed: SecretBytes(copying: try known.bytes("KEM seed")))
        let joiner = JoinIdentity(of: people.alice.publicIdentity, kemPart: kemKey.publicKey)
        #expect(joiner.bytes == (try known.bytes("initiator data")))
        let hello = JoinHello(
            lobby: Array(try known.bytes("session").suffix(16)),
            point: try known.bytes("initiator point"),
            card: joiner.bytes
        )
        #expect(hello.bytes == (try known.bytes("first message")))
        #expect(JoinHello(decoding: hello.bytes) == hello)
        let host = JoinIdentity(of: people.bob.publicIdentity, kemPart: try known.bytes("KEM ciphertext"))
        #expect(host.bytes == (try known.bytes("responder data")))
        let answer = JoinAnswer(
            run: hello.run,
            point: try known.bytes("responder point"),
            card: host.bytes,
            tag: try known.bytes("host tag")
        )
        #expect(answer.bytes == (try known.bytes("second message")))
        #expect(JoinAnswer(decoding: answer.bytes) == answer)
    }

    @Test("What both sides of a join put in is what the known answers have")
    func meeting() throws {
        let known = try VectorFile("cpace").cases[1]
        let session = try known.bytes("session")
        let meeting = RoomMeeting(
            room: try #require(GroupID(bytes: session.prefix(16))),
            lobby: Array(session.suffix(16)),
            password: SecretBytes(copying: try known.bytes("password"))
        )
        #expect(meeting.session == session)
        let bob = try KnownPeople().bob.publicIdentity.id
        let run = meeting.run(host: bob)
        let other = CPace(
            password: meeting.password,
            channel: try known.bytes("channel"),
            session: session
        )
        let transcript = CPace.Transcript(
            initiatorPoint: run.point,
            initiatorData: [1],
            responderPoint: other.point,
            responderData: [2]
        )
        let shared = try #require(run.sharedKey(with: other.point, transcript: transcript))
        #expect(other.sharedKey(with: run.point, transcript: transcript)?.isEqual(to: shared) == true)
    }

    @Test("Only elements other than the neutral one are multiplied", arguments: try VectorFile("ristretto255").cases)
    func products(known: VectorCase) throws {
        let scalar = SecretBytes(copying: try known.bytes("scalar"))
        let element = try known.bytes("element")
        let product = Ristretto255.multiply(SecretBytes(copying: element), by: scalar)
        #expect(try product?.exposed == (known.has("product") ? known.bytes("product") : nil))
        #expect(Ristretto255.isElement(element) == known.has("product"))
    }

    @Test("Another code, channel, session or transcript gives another key")
    func binding() throws {
        func shared(_ digits: String, _ channel: UInt8, _ session: UInt8, _ data: UInt8) throws -> [UInt8] {
            let scalars = [UInt8(3), 5].map { SecretBytes(copying: [$0] + [UInt8](repeating: 0, count: 31)) }
            let runs = scalars.map {
                CPace(
                    password: SecretBytes(copying: digits.utf8),
                    channel: [channel],
                    session: [session],
                    scalar: $0
                )
            }
            let transcript = CPace.Transcript(
                initiatorPoint: runs[0].point,
                initiatorData: [data],
                responderPoint: runs[1].point,
                responderData: []
            )
            return try #require(runs[0].sharedKey(with: runs[1].point, transcript: transcript)).exposed
        }
        let keys = [
            try shared("482913", 1, 1, 1), try shared("482914", 1, 1, 1), try shared("482913", 2, 1, 1),
            try shared("482913", 1, 2, 1), try shared("482913", 1, 1, 2),
        ]
        #expect(Set(keys).count == 5)
    }

    @Test("Lengths are written in LEB128")
    func lengths() {
        #expect(CPace.joined([], [7]) == [0, 1, 7])
        #expect(CPace.joined([UInt8](repeating: 0, count: 127)).prefix(2) == [127, 0])
        #expect(CPace.joined([UInt8](repeating: 0, count: 128)).prefix(3) == [0x80, 1, 0])
        #expect(CPace.joined([UInt8](repeating: 0, count: 300)).prefix(3) == [0xAC, 2, 0])
    }
}
