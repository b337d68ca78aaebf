import ChatCrypto
import MeshCore

/// The state of one group besides its log and keys.
///
/// The states of a group are: invited (a welcome that waits for the user), joining (a welcome with operations missing),
/// member, and out of it (left, removed, or rejected).
struct GroupState: Sendable {
    private var record: ProtoGroupRecord
    /// The welcome, until this node is a member.
    var welcome: GroupWelcome? {
        didSet {
            record.welcome = .bytes([])
            if welcome == nil { checkpoint = nil }
        }
    }
    /// The state that the welcome names, once all its parts are here.
    var checkpoint: GroupCheckpoint?
    /// The parts that have come of the state that the welcome names.
    private(set) var parts: GroupParts?
    /// The parts that have come of the secrets for a new owner.
    private(set) var treeParts: GroupParts?
    /// The time of arrival of the last new part of the state; nil if there is none, or the whole was wrong.
    private var partsGrewAt: MeshInstant?
    /// The last time at which a welcome led to another try of the stored envelopes.
    private var recalledAt: MeshInstant?
    /// The fresh secret of the own leaf, of an operation that is not here yet.
    var leaf: LeafSecret?
    /// The time until which a new owner waits for the secrets of all nodes; nil before it has begun to wait.
    var treeAwaitedUntil: MeshInstant?
    /// The operation that waits for the secret of the own leaf.
    var waiting: GroupOperation?
    /// Whether anything of the group has opened since ``lookedAt``.
    private var hasOpened = false
    /// The time at which this node asked for operations by itself; nil before that.
    private var lookedAt: MeshInstant?
    /// The time at which the owner spread operations again; 0 before that.
    ///
    /// Units: seconds since 1970.
    var repeatedAt: UInt32 = 0
    /// The times of the last welcomes that members got because they requested them.
    private var welcomed: [PeerID: MeshInstant] = [:]
    /// The numbers of proposals that admins have made since a time.
    private var proposals: (since: MeshInstant, counts: [PeerID: Int])?
    /// The facts of the past that the log has dropped.
    var past = GroupPast()
    /// The operations that are known to be missing.
    var missing = MissingOperations()
    /// The owner's doubt that it has all operations.
    var stateCheck = OwnerStateCheck()
    /// The members that were reported to the user for two contents at one position.
    private var equivocators: Set<PeerID> = []

    init(_ group: GroupID) {
        record = ProtoGroupRecord()
        record.id = .bytes(group.bytes)
    }

    /// Restores a stored record.
    ///
    /// - Throws: For a malformed welcome; one that cannot be opened is absent, and stays in the record.
    init(restoring record: ProtoGroupRecord, of group: GroupID, openedBy seals: SecretSeals) throws {
        self.record = record
        past = GroupPast(restoring: record)
        if !record.leaf.isEmpty, let secret = seals.open([UInt8](record.leaf), named: Self.leafName(group)) {
            leaf = try LeafSecret(decoding: secret)
        }
        (self.record.policies, self.record.former, self.record.leaf) = ([], [], .bytes([]))
        guard !record.welcome.isEmpty else { return }
        let secret = seals.open([UInt8](record.welcome), named: Self.welcomeName(group))
        guard let secret else { return }
        welcome = try GroupWelcome(decoding: secret)
        self.record.welcome = .bytes([])
    }

    /// Makes the record to write.
    func stored(of group: GroupID, sealedBy seals: SecretSeals) -> ProtoGroupRecord {
        var stored = record
        past.store(in: &stored)
        if let leaf { stored.leaf = .bytes(seals.seal(leaf.encoded(), named: Self.leafName(group))) }
        if let welcome { stored.welcome = .bytes(seals.seal(welcome.encoded(), named: Self.welcomeName(group))) }
        return stored
    }

    private static func welcomeName(_ group: GroupID) -> [UInt8] { Array("welcome".utf8) + group.bytes }

    private static func leafName(_ group: GroupID) -> [UInt8] { Array("leaf".utf8) + group.bytes }

    // MARK: - Joining

    /// The log that a welcome brings, as far as it is here.
    var joiningLog: MembershipLog? { (welcome?.checkpoint ?? checkpoint)?.log(at: 0) }

    /// The sender of the welcome.
    var inviter: PeerID? {
        get { PeerID(bytes: record.inviter) }
        set { record.inviter = .bytes(newValue?.bytes ?? []) }
    }

    /// Whether the welcome waits for the user.
    var isRequest: Bool {
        get { record.request }
        set { record.request = newValue }
    }

    /// The delivery proof of the welcome, which its sender gets once the user accepts; empty if the sender has it.
    var deliveryProof: [UInt8] {
        get { [UInt8](record.preimage) }
        set { record.preimage = .bytes(newValue) }
    }

    /// The epoch of the newest welcome that this node rejected or left.
    var refused: UInt32 {
        get { record.refused }
        set { record.refused = newValue }
    }

    /// Replaces the welcome.
    mutating func take(_ welcome: GroupWelcome) {
        self.welcome = welcome
        checkpoint = nil
        dropParts()
    }

    /// Takes a part; returns the whole once it is complete.
    mutating func take(_ part: GroupParts.Part, at now: MeshInstant) -> [UInt8]? {
        let known = part.isOfSecrets ? treeParts : parts
        var parts = known.flatMap { $0.isOf(part) ? $0 : nil } ?? GroupParts(part)
        let count = parts.collected
        let whole = parts.take(part)
        if part.isOfSecrets {
            treeParts = whole == nil ? parts : nil
        } else {
            if parts.collected > count { partsGrewAt = now }
            self.parts = whole == nil ? parts : nil
        }
        return whole
    }

    /// Whether a part of the state has arrived recently; otherwise another member's welcome may replace the present one.
    func isReceivingParts(at now: MeshInstant) -> Bool {
        partsGrewAt.map { now < $0.advanced(by: ChatLimits.statePartPause) } ?? false
    }

    /// Discards the parts of the state.
    mutating func dropParts() { (parts, partsGrewAt) = (nil, nil) }

    /// Notes that a welcome leads to another try of the stored envelopes; false if the pause is not over.
    mutating func noteRecall(at now: MeshInstant) -> Bool {
        if let recalledAt, now < recalledAt.advanced(by: ChatLimits.statePartPause) { return false }
        recalledAt = now
        return true
    }

    /// Forgets all that leads to later secrets, after the end of the membership.
    mutating func forgetSecrets() { (leaf, waiting, treeParts) = (nil, nil, nil) }

    /// Ends the joining.
    mutating func dropWelcome() {
        welcome = nil
        dropParts()
        deliveryProof = []
        isRequest = false
    }

    // MARK: - Member

    /// Notes that an operation was applied.
    ///
    /// - Parameter log: The log before it.
    mutating func noteApplied(_ operation: GroupOperation, after log: MembershipLog) {
        if let leaf, leaf.epoch <= operation.epoch { self.leaf = nil }
        waiting = nil
        // The operation has made the welcome superfluous.
        if let welcome, welcome.epoch <= operation.epoch { dropWelcome() }
        for edit in operation.edits {
            if case .policy(let policy) = edit { past.note(policy, at: operation.epoch) }
            guard let entry = edit.emptied.flatMap({ log.table[$0] }) else { continue }
            past.note(entry.member.identity.id, joined: entry.epoch, left: operation.epoch)
        }
        if missing.epoch <= operation.epoch { missing.haveAll() }
    }

    /// Notes that this member continues from a later state.
    ///
    /// - Parameter before: The last log that was known.
    mutating func noteRejoined(_ log: MembershipLog, after before: MembershipLog) {
        (leaf, waiting) = (nil, nil)
        dropWelcome()
        missing.haveAll()
        if log.policy != before.policy { past.note(log.policy, at: log.epoch) }
        for (_, entry) in before.table.members where log.joinEpoch(of: entry.member.identity.id) != entry.epoch {
            past.note(entry.member.identity.id, joined: entry.epoch, left: log.epoch)
        }
    }

    /// Notes that a member gets a welcome because it requested one; false if the pause is not over.
    mutating func noteWelcome(of member: PeerID, at now: MeshInstant) -> Bool {
        welcomed = welcomed.filter { now < $0.value.advanced(by: ChatLimits.welcomePause) }
        guard welcomed[member] == nil else { return false }
        welcomed[member] = now
        return true
    }

    /// Notes a proposal of an admin; false if the admin has made too many within the pause.
    mutating func noteProposal(of admin: PeerID, at now: MeshInstant) -> Bool {
        if let since = proposals?.since, now >= since.advanced(by: ChatLimits.proposalPause) { proposals = nil }
        var known = proposals ?? (now, [:])
        known.counts[admin, default: 0] += 1
        proposals = known
        return known.counts[admin, default: 0] <= ChatLimits.proposalCount
    }

    /// Notes that a message or notice of the group has opened, so that this member has its present keys.
    mutating func noteOpened() { hasOpened = true }

    /// Whether a member should ask for operations that it may lack without knowing: once after each start, and after a
    /// day in which nothing opened.
    mutating func takeLook(at now: MeshInstant) -> Bool {
        if let lookedAt {
            guard now >= lookedAt.advanced(by: ChatLimits.operationLookInterval) else { return false }
        }
        defer { (lookedAt, hasOpened) = (now, false) }
        return lookedAt == nil || !hasOpened
    }

    /// Notes a member that has signed two contents for one position; returns whether to report it to the user.
    ///
    /// Each member is reported once. If there are more than ``ChatLimits/equivocatorCount``, earlier ones are reported
    /// again rather than a new one never.
    mutating func reportEquivocation(of member: PeerID) -> Bool {
        if equivocators.count >= ChatLimits.equivocatorCount, !equivocators.contains(member) { equivocators = [] }
        return equivocators.insert(member).inserted
    }

    /// The member that the owner has asked to own the group.
    var handover: PeerID? {
        get { PeerID(bytes: record.handover) }
        set { record.handover = .bytes(newValue?.bytes ?? []) }
    }

    /// The member that the owner has asked to be the successor.
    var successor: PeerID? {
        get { PeerID(bytes: record.successor) }
        set { record.successor = .bytes(newValue?.bytes ?? []) }
    }

    /// The facts that only an import has provided about the group.
    var imported: ProtoImportedGroup? {
        get { record.imported.first }
        set { record.imported = newValue.map { [$0] } ?? [] }
    }
}
