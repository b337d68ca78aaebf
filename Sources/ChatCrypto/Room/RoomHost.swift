/// The host's side of the way into a room: the code, who knocks, and how many guesses were wrong.
///
/// A pure value with one count for all comers, because identities cost nothing: every answer counts as a wrong guess until
/// its joiner proves otherwise. Codes that end with wrong guesses are counted until the user opens the door again,
/// whatever happens in between, so that all guesses together have a chance of 6 in 100,000. A code is never stored; a
/// restart burns it. Source: PROTOCOL §17.
public struct RoomHost: Sendable {
    /// The room, and the group that its members are in.
    public let room: GroupID
    /// Who gets in.
    public internal(set) var admission: RoomAdmission
    /// The code to show; nil while the door is shut, and in a room for everybody.
    public internal(set) var code: RoomCode?
    /// The invite to show; nil while there is none.
    public internal(set) var invite: RoomInvite?
    /// Who waits for the user's approval, those who came first in front.
    public internal(set) var pending: [RoomApplicant] = []
    /// Codes that ended with wrong guesses since the user opened the door.
    public internal(set) var burntCodes = 0
    /// Answers under the present code whose joiners have not proven to have it.
    public internal(set) var failures = 0
    let identity: Identity
    /// The name of the meeting under the present code; nil while the door is shut.
    var lobby: [UInt8]?
    var runs: [JoinRun] = []
    var sequence: UInt32 = 0
    private var codeMadeAt: UInt32 = 0
    private var answeredAt: UInt32?

    /// Opens the door of a room.
    ///
    /// - Parameter identity: made for this room, and used for nothing else.
    public init(room: GroupID, as identity: Identity, admission: RoomAdmission, at now: UInt32) {
        self.init(room: room, identity: identity, admission: admission)
        invite = RoomInvite(for: room)
        makeCode(at: now)
    }

    init(room: GroupID, identity: Identity, admission: RoomAdmission) {
        self.room = room
        self.identity = identity
        self.admission = admission
    }

    /// Whether nobody gets in without an invite.
    public var isShut: Bool { lobby == nil }

    // MARK: - The user's decisions

    /// Opens the door with a new code, and forgets how many were guessed at.
    public mutating func openDoor(at now: UInt32) {
        burntCodes = 0
        makeCode(at: now)
    }

    /// Shuts the door, and makes the invite worthless.
    public mutating func shutDoor() {
        code = nil
        lobby = nil
        invite = nil
    }

    /// Makes a new invite in place of the one before.
    public mutating func renewInvite() {
        invite = RoomInvite(for: room)
    }

    /// Changes who gets in; the code before is worth nothing then.
    public mutating func change(to admission: RoomAdmission, at now: UInt32) {
        self.admission = admission
        if !isShut { makeCode(at: now) }
    }

    /// Takes somebody off the list of those who wait, approved or not; nil if it is not on it.
    public mutating func takePending(_ peer: PeerID) -> RoomApplicant? {
        pending.firstIndex { $0.bundle.identity.id == peer }.map { pending.remove(at: $0) }
    }

    // MARK: - Time

    /// Ends what is over: a code's life, joins that did not go on.
    ///
    /// - Parameter now: seconds since 1970 by one's own clock.
    public mutating func expire(at now: UInt32) -> [RoomHostEvent] {
        runs.removeAll { now.subtractingClamped($0.begunAt) >= RoomLimits.runLife }
        guard code != nil, now.subtractingClamped(codeMadeAt) >= RoomLimits.codeLife else { return [] }
        return endCode(.age, at: now)
    }

    /// The beacon to send now.
    ///
    /// - Parameter remainingSeconds: how long the room will last; 0 for one without end.
    public mutating func beacon(remainingSeconds: UInt32, at now: UInt32) -> RoomBeacon {
        // By the clock, so that a restart does not go back.
        sequence = max(sequence.addingClamped(1), now)
        return RoomBeacon(
            of: room,
            by: identity,
            lobby: lobby ?? [UInt8](repeating: 0, count: Lobby.byteCount),
            sequence: sequence,
            remainingSeconds: remainingSeconds,
            admission: admission,
            isShut: isShut
        )
    }

    // MARK: - Guesses

    /// Whether another guess may be answered, and counts it if so.
    mutating func takeGuess(at now: UInt32) -> Bool {
        if failures >= RoomLimits.slowFailures, let answeredAt,
            now.subtractingClamped(answeredAt) < RoomLimits.slowInterval
        {
            return false
        }
        failures += 1
        answeredAt = now
        return true
    }

    /// Ends the code if it has stood as many guesses as it may.
    mutating func burnIfDue(at now: UInt32) -> [RoomHostEvent] {
        failures >= RoomLimits.maximumFailures && code != nil ? endCode(.failures, at: now) : []
    }

    private mutating func endCode(_ end: RoomHostEvent.CodeEnd, at now: UInt32) -> [RoomHostEvent] {
        if failures > 0 { burntCodes += 1 }
        guard burntCodes < RoomLimits.maximumBurntCodes else {
            code = nil
            lobby = nil
            return [.codeBurnt(end), .doorShut]
        }
        makeCode(at: now)
        return [.codeBurnt(end), .codeChanged]
    }

    /// Makes the door open under a new code, or without any in a room for everybody.
    mutating func makeCode(at now: UInt32) {
        code = admission == .open ? nil : RoomCode(for: room)
        lobby = randomBytes(Lobby.byteCount)
        failures = 0
        codeMadeAt = now
    }
}
