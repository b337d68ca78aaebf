/// What a joiner has for a room.
public enum RoomKey: Sendable {
    /// A code that somebody said.
    case code(RoomCode)
    /// An invite that somebody showed or sent.
    case invite(RoomInvite)
    /// Nothing; for rooms that take everybody.
    case nothing
}

/// What a flight has led to at a joiner.
public enum RoomJoinStep: Sendable {
    /// It is not for this joiner, or does not open.
    case ignored
    /// The body of a ROOM envelope to send.
    case send([UInt8])
    /// The host has another code, or is none: the run is over, and the next may begin unless it was the last.
    case wrongCode(isLast: Bool)
    /// The host has decided.
    case decided(JoinDecision, host: PublicIdentity)
}

/// The joiner's side of the way into a room.
///
/// A pure value. An impostor gets one guess in each run, so a typed code is good for three, whichever hosts they are with.
/// Source: PROTOCOL §17.
public struct RoomJoiner: Sendable {
    /// Where a run is.
    private enum State: Sendable {
        case idle
        case knocked(CPace, RoomMeeting, JoinHello, host: PublicIdentity)
        case proven(JoinRunID, request: [UInt8], replyKey: SecretBytes, room: GroupID, host: PublicIdentity)
    }

    /// How many runs have begun.
    public private(set) var runCount = 0
    private let key: RoomKey
    private let bundle: IdentityBundle
    private var state = State.idle

    /// Prepares to join.
    ///
    /// - Parameter bundle: of the identity that was made for this room, with the nickname for it.
    public init(with key: RoomKey, bundle: IdentityBundle) {
        self.key = key
        self.bundle = bundle
    }

    /// Whether a beacon is of a room that the key may be for.
    public func isFor(_ beacon: RoomBeacon) -> Bool {
        guard beacon.host != bundle.identity else { return false }
        switch key {
        case .code(let code): return code.door == beacon.door && beacon.admission != .open && !beacon.isShut
        case .invite(let invite): return invite.room == beacon.room
        case .nothing: return beacon.admission == .open && !beacon.isShut
        }
    }

    /// Whether the code is used up.
    public var isUsedUp: Bool {
        guard case .code = key else { return false }
        return runCount >= RoomLimits.runsPerCode
    }

    /// Knocks at a room, and gives up a run that was under way.
    ///
    /// - Returns: the body of a ROOM envelope; sent again as it is if no answer comes.
    /// - Throws: `wrongRoom`; `codeUsedUp` after three runs with one code: it is wrong, or somebody plays the host.
    public mutating func knock(at beacon: RoomBeacon) throws(CryptoError) -> [UInt8] {
        guard isFor(beacon) else { throw CryptoError(.wrongRoom, "The code or invite is not for this room.") }
        guard !isUsedUp else {
            throw CryptoError(.codeUsedUp, "The code is wrong, or somebody plays the host: ask for a new one.")
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
        let card = JoinCard(of: bundle.identity)
        let hello = JoinHello(lobby: meeting.lobby, point: pace.point, card: card.bytes)
        state = .knocked(pace, meeting, hello, host: beacon.host)
        return hello.bytes
    }

    /// What to send again while nothing comes back; nil if nothing is under way.
    public var pendingFlight: [UInt8]? {
        switch state {
        case .idle: nil
        case .knocked(_, _, let hello, _): hello.bytes
        case .proven(_, let request, _, _, _): request
        }
    }

    /// Takes what came out of a ROOM envelope.
    public mutating func receive(_ packet: RoomPacket) -> RoomJoinStep {
        switch packet {
        case .answer(let answer): return receive(answer)
        case .reply(let reply): return receive(reply)
        case .beacon, .hello, .request: return .ignored
        }
    }

    /// Checks the host's proof; a second answer to one run would be a second guess, so the first decides.
    private mutating func receive(_ answer: JoinAnswer) -> RoomJoinStep {
        guard case .knocked(let pace, let meeting, let hello, let host) = state, answer.run == hello.run else {
            return .ignored
        }
        state = .idle
        let transcript = CPace.Transcript(
            initiatorPoint: hello.point,
            initiatorData: hello.card,
            responderPoint: answer.point,
            responderData: answer.card
        )
        guard JoinCard(decoding: answer.card)?.identity == host,
            let keys = JoinKeys(pace, session: meeting.session, otherPoint: answer.point, transcript: transcript),
            constantTimeEqual(answer.tag, keys.hostTag),
            let request = JoinRequest(run: hello.run, keys: keys, bundle: bundle)
        else { return .wrongCode(isLast: isUsedUp) }
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
