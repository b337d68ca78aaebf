import ChatCrypto

/// The state of one group besides its log and keys.
///
/// The states of a group are: invited (a welcome that waits for the user), joining (a welcome with operations missing),
/// member, and out of it (left, removed, or rejected).
struct GroupState: Sendable {
    private var record: ProtoGroupRecord
    /// The welcome, until this node is a member.
    var welcome: GroupWelcome? {
        didSet { record.welcome = .bytes([]) }
    }
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
        guard !record.welcome.isEmpty else { return }
        let secret = seals.open([UInt8](record.welcome), named: Self.welcomeName(group))
        guard let secret else { return }
        welcome = try GroupWelcome(decoding: secret)
        self.record.welcome = .bytes([])
    }

    /// Makes the record to write.
    func stored(of group: GroupID, sealedBy seals: SecretSeals) -> ProtoGroupRecord {
        var stored = record
        if let welcome { stored.welcome = .bytes(seals.seal(welcome.encoded(), named: Self.welcomeName(group))) }
        return stored
    }

    private static func welcomeName(_ group: GroupID) -> [UInt8] { Array("welcome".utf8) + group.bytes }

    // MARK: - Joining

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

    /// Ends the joining.
    mutating func dropWelcome() {
        welcome = nil
        deliveryProof = []
        isRequest = false
    }

    // MARK: - Member

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

    /// The facts that only an import has provided about the group.
    var imported: ProtoImportedGroup? {
        get { record.imported.first }
        set { record.imported = newValue.map { [$0] } ?? [] }
    }
}
