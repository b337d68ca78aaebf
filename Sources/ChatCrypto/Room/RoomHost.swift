/// The host's side of the admission to a room: the code, the joins in progress, and the number of wrong guesses.
///
/// A pure value with one count for all joiners, because identities cost nothing: every answer counts as a wrong guess
/// until its joiner proves the opposite. Codes that end with wrong guesses are counted until the user opens the
/// admission again, over all other events, so that all guesses together succeed with a chance of 6 in 100,000. A code
/// is never stored, and a restart replaces it. Source: PROTOCOL §17.
public struct RoomHost: Sendable {
    /// The ID of the room, which is also the ID of the group of its members.
    public let room: GroupID
    /// The admission policy.
    public internal(set) var admission: RoomAdmission
    /// The code to show; nil while the admission is stopped, and in a room that is open to all peers.
    public internal(set) var code: RoomCode?
    /// The invite to show; nil while there is none.
    public internal(set) var invite: RoomInvite?
    /// The applicants that wait for the user's approval, in the order of their arrival.
    public internal(set) var pending: [RoomApplicant] = []
    /// The number of codes that ended with wrong guesses since the user opened the admission.
    public internal(set) var exhaustedCodes = 0
    /// The number of answers under the present code whose joiners have not proven that they have it.
    public internal(set) var failures = 0
    let identity: Identity
    /// The name of the meeting under the present code; nil while the admission is stopped.
    var lobby: [UInt8]?
    var runs: [JoinRun] = []
    var sequence: UInt32 = 0
    private var codeMadeAt: UInt32 = 0
    private var answeredAt: UInt32?

    /// Opens the admission to a room.
    ///
    /// - Parameters:
    ///   - room: the room.
    ///   - identity: an identity that is made for this room and used for nothing else.
    ///   - admission: the rule of admission.
    ///   - now: seconds since 1970 by the local clock.
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

    /// Whether the room admits no peer without an invite.
    public var isAdmissionClosed: Bool { lobby == nil }

    // MARK: - The user's decisions

    /// Opens the admission with a new code and resets the count of exhausted codes.
    public mutating func openAdmission(at now: UInt32) {
        exhaustedCodes = 0
        makeCode(at: now)
    }

    /// Stops the admission and deletes the invite.
    public mutating func closeAdmission() {
        code = nil
        lobby = nil
        invite = nil
    }

    /// Makes a new invite, which replaces the one before.
    public mutating func renewInvite() {
        invite = RoomInvite(for: room)
    }

    /// Changes the admission policy; if the admission is open, the code before becomes worthless.
    public mutating func change(to admission: RoomAdmission, at now: UInt32) {
        self.admission = admission
        if !isAdmissionClosed { makeCode(at: now) }
    }

    /// Removes an applicant from the list of pending ones, approved or not; nil if it is not on the list.
    public mutating func takePending(_ peer: PeerID) -> RoomApplicant? {
        pending.firstIndex { $0.bundle.identity.id == peer }.map { pending.remove(at: $0) }
    }

    // MARK: - Time

    /// Ends an expired code and drops joins that did not continue.
    ///
    /// - Parameter now: seconds since 1970 by the local clock.
    public mutating func expire(at now: UInt32) -> [RoomHostEvent] {
        runs.removeAll { now.subtractingClamped($0.begunAt) >= RoomLimits.runLife }
        guard code != nil, now.subtractingClamped(codeMadeAt) >= RoomLimits.codeLife else { return [] }
        return endCode(.age, at: now)
    }

    /// Makes the beacon to send now.
    ///
    /// - Parameters:
    ///   - remainingSeconds: the time that the room will last; 0 for a room without end.
    ///   - now: seconds since 1970 by the local clock.
    public mutating func beacon(remainingSeconds: UInt32, at now: UInt32) -> RoomBeacon {
        // The sequence follows the clock, so that it does not decrease after a restart.
        sequence = max(sequence.addingClamped(1), now)
        return RoomBeacon(
            of: room,
            by: identity,
            lobby: lobby ?? [UInt8](repeating: 0, count: Lobby.byteCount),
            sequence: sequence,
            remainingSeconds: remainingSeconds,
            admission: admission,
            isAdmissionClosed: isAdmissionClosed
        )
    }

    // MARK: - Guesses

    /// Whether another guess may be answered; if so, the method counts it.
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

    /// Ends the code after the allowed number of guesses.
    mutating func exhaustIfDue(at now: UInt32) -> [RoomHostEvent] {
        failures >= RoomLimits.maximumFailures && code != nil ? endCode(.failures, at: now) : []
    }

    private mutating func endCode(_ end: RoomHostEvent.CodeEnd, at now: UInt32) -> [RoomHostEvent] {
        if failures > 0 { exhaustedCodes += 1 }
        guard exhaustedCodes < RoomLimits.maximumExhaustedCodes else {
            code = nil
            lobby = nil
            return [.codeExhausted(end), .admissionClosed]
        }
        makeCode(at: now)
        return [.codeExhausted(end), .codeChanged]
    }

    /// Opens the admission under a new code, or without a code in a room that is open to all peers.
    mutating func makeCode(at now: UInt32) {
        code = admission == .open ? nil : RoomCode(for: room)
        lobby = randomBytes(Lobby.byteCount)
        failures = 0
        codeMadeAt = now
    }
}
