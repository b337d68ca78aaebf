/// The key with which a joiner enters a room.
public enum RoomKey: Sendable {
    /// A code that the joiner got from a member.
    case code(RoomCode)
    /// An invite that the joiner scanned or received.
    case invite(RoomInvite)
    /// No key, for rooms that are open to all peers.
    case nothing
}

/// The result of a join message at a joiner.
public enum RoomJoinStep: Sendable {
    /// The message is not for this joiner, or does not open.
    case ignored
    /// The body of a ROOM envelope to send.
    case send([UInt8])
    /// The host has another code, or is an impostor.
    ///
    /// The run is over, and the next one may begin unless this was the last.
    case wrongCode(isLast: Bool)
    /// The host has decided.
    case decided(JoinDecision, host: PublicIdentity)
}

/// The joiner's side of the admission to a room.
///
/// A pure value. An impostor gets one guess in each run, so a typed code is good for three runs with all hosts
/// together. Source: PROTOCOL §17.
public struct RoomJoiner: Sendable {
    /// The state of a run.
    private enum State: Sendable {
        case idle
        case requested(CPace, RoomMeeting, JoinHello, kemSeed: SecretBytes, host: PublicIdentity)
        case proven(JoinRunID, request: [UInt8], replyKey: SecretBytes, room: GroupID, host: PublicIdentity)
    }

    /// The number of runs that have begun.
    public private(set) var runCount = 0
    private let key: RoomKey
    private let bundle: PrekeyBundle
    private var state = State.idle

    /// Prepares to join.
    ///
    /// - Parameters:
    ///   - key: the key that admits the joiner.
    ///   - bundle: the prekey bundle of the identity that was made for this room, with the nickname for it.
    public init(with key: RoomKey, bundle: PrekeyBundle) {
        self.key = key
        self.bundle = bundle
    }

    /// Whether the key may be for the room of a beacon.
    public func isFor(_ beacon: RoomBeacon) -> Bool {
        guard beacon.host != bundle.identity else { return false }
        switch key {
        case .code(let code): return code.door == beacon.door && beacon.admission != .open && !beacon.isAdmissionClosed
        case .invite(let invite): return invite.room == beacon.room
        case .nothing: return beacon.admission == .open && !beacon.isAdmissionClosed
        }
    }

    /// Whether the code has used all of its runs.
    public var isExhausted: Bool {
        guard case .code = key else { return false }
        return runCount >= RoomLimits.runsPerCode
    }

    /// Makes a join request to a room, and ends a run that was in progress.
    ///
    /// - Returns: the body of a ROOM envelope. Send the same body again if no answer arrives.
    /// - Throws: `wrongRoom`; `codeUsedUp` after three runs with one code: it is wrong, or an impostor poses as the
    ///   host.
    public mutating func joinRequest(at beacon: RoomBeacon) throws(CryptoError) -> [UInt8] {
        guard isFor(beacon) else { throw CryptoError(.wrongRoom, "The code or invite is not for this room.") }
        guard !isExhausted else {
            throw CryptoError(.codeUsedUp, "The code is wrong, or someone pretends to be the host. Ask for a new code.")
        }
        runCount += 1
        let meeting =
            switch key {
            case .code(let code): RoomMeeting(room: beacon.room, lobby: beacon.lobby, password: code.secret)
            case .invite(let invite): RoomMeeting(room: beacon.room, lobby: invite.lobby, password: invite.key)
            case .nothing:
                RoomMeeting(room: beacon.room, lobby: beacon.lobby, password: SecretBytes(copying: []))
            }
        let pace = meeting.run(host: beacon.host.id)
        let kemKey = KEM768.makeKey()
        let card = JoinIdentity(of: bundle.identity, kemPart: kemKey.publicKey)
        let hello = JoinHello(lobby: meeting.lobby, point: pace.point, card: card.bytes)
        state = .requested(pace, meeting, hello, kemSeed: kemKey.seed, host: beacon.host)
        return hello.bytes
    }

    /// The message to send again while no answer arrives; nil if no run is in progress.
    public var pendingMessage: [UInt8]? {
        switch state {
        case .idle: nil
        case .requested(_, _, let hello, _, _): hello.bytes
        case .proven(_, let request, _, _, _): request
        }
    }

    /// Takes the content of a ROOM envelope.
    public mutating func receive(_ packet: RoomPacket) -> RoomJoinStep {
        switch packet {
        case .answer(let answer): return receive(answer)
        case .reply(let reply): return receive(reply)
        case .beacon, .hello, .request: return .ignored
        }
    }

    /// Checks the host's proof; a second answer to one run would be a second guess, so the first answer decides.
    private mutating func receive(_ answer: JoinAnswer) -> RoomJoinStep {
        guard case .requested(let pace, let meeting, let hello, let kemSeed, let host) = state, answer.run == hello.run
        else {
            return .ignored
        }
        state = .idle
        let transcript = CPace.Transcript(
            initiatorPoint: hello.point,
            initiatorData: hello.card,
            responderPoint: answer.point,
            responderData: answer.card
        )
        guard let card = JoinIdentity(decoding: answer.card), card.identity == host,
            let kemSecret = try? KEM768.decapsulate(card.kemPart, seed: kemSeed),
            let keys = JoinKeys(
                pace,
                session: meeting.session,
                otherPoint: answer.point,
                transcript: transcript,
                kemSecret: kemSecret
            ),
            constantTimeEqual(answer.tag, keys.hostTag),
            let request = JoinRequest(run: hello.run, keys: keys, bundle: bundle)
        else { return .wrongCode(isLast: isExhausted) }
        state = .proven(
            hello.run,
            request: request.bytes,
            replyKey: keys.toJoiner,
            room: meeting.room,
            host: host
        )
        return .send(request.bytes)
    }

    private mutating func receive(_ reply: JoinReply) -> RoomJoinStep {
        guard case .proven(let run, _, let key, let room, let host) = state, reply.run == run,
            let decision = reply.open(key, from: host, in: room)
        else { return .ignored }
        state = .idle
        return .decided(decision, host: host)
    }
}
