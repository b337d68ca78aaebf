import Bytes

/// Changes of a group that an admin asks the owner to make.
///
/// Shape: epoch of the admin's log (4) ‖ edit count 1 to 64 (1) ‖ edits: adds, removals, titles and policies. A new member
/// has slot 0, because the owner chooses the slot. Source: PROTOCOL §16.5.
public struct GroupProposal: Hashable, Sendable {
    /// The epoch of the log that the admin had.
    public let epoch: UInt32
    let edits: [GroupEdit]

    /// Proposes changes.
    ///
    /// - Parameters:
    ///   - actions: 1 to 64 changes: adds, removals of present members, titles and policies.
    ///   - log: the log of the admin.
    /// - Returns: nil for a change that an admin cannot propose.
    public init?(_ actions: [GroupAction], in log: MembershipLog) {
        guard 1...GroupLimits.maximumEdits ~= actions.count else { return nil }
        var edits: [GroupEdit] = []
        for action in actions {
            switch action {
            case .add(let member): edits.append(.add(0, member))
            case .remove(let peer):
                guard let slot = log.table.slot(of: peer) else { return nil }
                edits.append(.remove(slot))
            case .rename(let title): edits.append(.rename(title))
            case .policy(let policy): edits.append(.policy(policy))
            case .removeLeaver, .handover, .renew, .renewBlock: return nil
            }
        }
        self.edits = edits
        epoch = log.epoch
    }

    /// The encoded proposal, for the session with the owner.
    public var bytes: [UInt8] { epoch.bigEndianBytes + [UInt8(edits.count)] + edits.flatMap(\.encoded) }

    /// Reads the proposal of an admin.
    ///
    /// - Throws: `malformed`.
    public init(decoding bytes: [UInt8]) throws(CryptoError) {
        var reader = ByteReader(bytes)
        guard bytes.count <= GroupLimits.maximumOperationByteCount, let epoch = reader.integer(UInt32.self),
            GroupOperation.epochs ~= epoch, let count = reader.byte(), 1...GroupLimits.maximumEdits ~= Int(count)
        else { throw Self.malformed }
        var edits: [GroupEdit] = []
        for _ in 0..<count {
            guard let edit = GroupEdit(decoding: &reader), Self.isPossible(edit) else { throw Self.malformed }
            edits.append(edit)
        }
        guard reader.isAtEnd else { throw Self.malformed }
        (self.epoch, self.edits) = (epoch, edits)
    }

    private static var malformed: CryptoError { CryptoError(.malformed, "The bytes are not a proposal.") }

    private static func isPossible(_ edit: GroupEdit) -> Bool {
        switch edit {
        case .add(let slot, _): slot == 0
        case .remove, .rename, .policy: true
        case .removeLeaver, .handover, .renew, .takeover: false
        }
    }

    /// Returns the changes that the owner makes for a member, without those that are made already.
    ///
    /// An admin adds and removes members, and changes the title and the history for new members. An admin removes neither
    /// the owner nor another admin, and nobody who has joined since the proposal.
    ///
    /// - Returns: no changes if the member is no admin.
    public func actions(for member: PeerID, in log: MembershipLog) -> [GroupAction] {
        guard log.isAdmin(member) else { return [] }
        return edits.compactMap { edit in
            switch edit {
            case .add(_, let new): log.member(new.identity.id) == nil ? .add(new) : nil
            case .remove(let slot):
                log.table[slot].flatMap { entry in
                    let peer = entry.member.identity.id
                    let mayGo = entry.epoch <= epoch && slot != log.ownerSlot && !log.isAdmin(peer)
                    return mayGo ? .remove(peer) : nil
                }
            case .rename(let title): title == log.title ? nil : .rename(title)
            case .policy(let policy):
                policy != log.policy && policy == log.policy.with(policy.history) ? .policy(policy) : nil
            case .removeLeaver, .handover, .renew, .takeover: nil
            }
        }
    }
}

extension MembershipLog {
    /// Whether a member is an admin, who may propose changes.
    public func isAdmin(_ member: PeerID) -> Bool {
        table.slot(of: member).map { policy.admins.contains($0) } ?? false
    }
}
