package import ChatCrypto
import SwiftProtobuf

/// A control message between members of a group, sent over their sessions.
///
/// Source: PROTOCOL §16.5.
package enum GroupNote: Sendable {
    /// Admits the recipient.
    case welcome(GroupWelcome)
    /// Operations of the owner with the keys that belong to them, and operations alone.
    case operations(GroupID, updates: [GroupUpdate], bare: [GroupOperation])
    /// The key that opens the sender's messages, and the first bytes of the hash of the operation that began its epoch.
    case senderKey(SenderKeyMessage, history: [UInt8])
    /// Announces that the sender leaves.
    case leave(GroupID)
    /// Requests the operations from this epoch on.
    case request(GroupID, from: UInt32)
    /// Requests the key with which the recipient would own the group.
    case wantsOwnerKey(GroupID)
    /// The key with which the sender would own the group.
    case ownerKey(GroupID, [UInt8])
    /// The prekey bundles to begin sessions with members of a room.
    case bundles(GroupID, [IdentityBundle])
    /// Requests for earlier messages by new members, and the answers.
    case history(GroupID, HistoryNote)

    /// The length of the hash beside a sender key.
    ///
    /// Units: bytes.
    package static let historyByteCount = 8
    /// The most operations of one control message.
    package static let operationCount = 64

    /// The group concerned.
    package var group: GroupID {
        switch self {
        case .welcome(let welcome): welcome.log.groupID
        case .senderKey(let key, _): key.groupID
        case .operations(let group, _, _), .leave(let group), .request(let group, _), .wantsOwnerKey(let group),
            .ownerKey(let group, _), .bundles(let group, _), .history(let group, _):
            group
        }
    }

    /// Reads a control message from a session; nil if it is malformed or exceeds a limit.
    package init?(decoding bytes: [UInt8]) {
        guard let note = try? ProtoGroupNote(serializedBytes: bytes) else { return nil }
        let history = { HistoryNote.read(bytes).map { GroupNote.history($0.group, $0.note) } }
        guard let read = Self.read(note) ?? history() else { return nil }
        self = read
    }

    private static func read(_ note: ProtoGroupNote) -> GroupNote? {
        if !note.welcome.isEmpty {
            return (try? GroupWelcome(decoding: SecretBytes(copying: note.welcome))).map { .welcome($0) }
        }
        if !note.senderKey.isEmpty {
            guard let key = try? SenderKeyMessage(decoding: SecretBytes(copying: note.senderKey)),
                note.history.count == historyByteCount
            else { return nil }
            return .senderKey(key, history: [UInt8](note.history))
        }
        if !note.updates.isEmpty || !note.operations.isEmpty { return readOperations(note) }
        guard let group = GroupID(bytes: note.group) else { return nil }
        if note.leave { return .leave(group) }
        if note.operationsFrom > 0 { return .request(group, from: note.operationsFrom) }
        if note.wantsOwnerKey { return .wantsOwnerKey(group) }
        if !note.bundles.isEmpty { return readBundles(note, of: group) }
        return note.ownerKey.count == 32 ? .ownerKey(group, [UInt8](note.ownerKey)) : nil
    }

    private static func readBundles(_ note: ProtoGroupNote, of group: GroupID) -> GroupNote? {
        guard note.bundles.count <= RoomRules.bundleCount else { return nil }
        let bundles = note.bundles.compactMap { try? IdentityBundle(verifying: [UInt8]($0)) }
        return bundles.count == note.bundles.count ? .bundles(group, bundles) : nil
    }

    private static func readOperations(_ note: ProtoGroupNote) -> GroupNote? {
        guard note.updates.count + note.operations.count <= operationCount else { return nil }
        let updates = note.updates.compactMap { try? GroupUpdate(decoding: SecretBytes(copying: $0)) }
        let bare = note.operations.compactMap { try? GroupOperation(decoding: [UInt8]($0)) }
        guard updates.count == note.updates.count, bare.count == note.operations.count else { return nil }
        let groups = Set(updates.map(\.operation.groupID) + bare.map(\.groupID))
        guard let group = groups.first, groups.count == 1 else { return nil }
        return .operations(group, updates: updates, bare: bare)
    }

    /// The encoded control message, only for a session with a member.
    package var encoded: [UInt8] {
        var note = ProtoGroupNote()
        switch self {
        case .welcome(let welcome): note.welcome = .bytes(welcome.encoded().exposedBytes)
        case .operations(_, let updates, let bare):
            note.updates = updates.map { .bytes($0.encoded().exposedBytes) }
            note.operations = bare.map { .bytes($0.bytes) }
        case .senderKey(let key, let history):
            note.senderKey = .bytes(key.encoded().exposedBytes)
            note.history = .bytes(history)
        case .leave: note.leave = true
        case .request(_, let epoch): note.operationsFrom = epoch
        case .wantsOwnerKey: note.wantsOwnerKey = true
        case .ownerKey(_, let key): note.ownerKey = .bytes(key)
        case .bundles(_, let bundles): note.bundles = bundles.map { .bytes($0.bytes) }
        case .history(let group, let note): return note.encoded(for: group)
        }
        switch self {
        case .leave, .request, .wantsOwnerKey, .ownerKey, .bundles: note.group = .bytes(group.bytes)
        case .welcome, .operations, .senderKey, .history: break
        }
        // Encoding fails only for missing required fields, which proto3 does not have.
        return (try? note.serializedBytes()) ?? []
    }
}

extension SecretBytes {
    /// The bytes in ordinary memory, as required for content to be sealed.
    fileprivate var exposedBytes: [UInt8] { withBytes { Array($0) } }
}
