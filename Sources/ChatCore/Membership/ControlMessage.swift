package import ChatCrypto
import SwiftProtobuf

/// A control message between members of a group, sent over their sessions.
///
/// Source: PROTOCOL §16.5.
package enum ControlMessage: Sendable {
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
    case bundles(GroupID, [PrekeyBundle])
    /// Requests for earlier messages by new members, and the answers.
    case history(GroupID, HistoryMessage)

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
        guard let control = try? ProtoGroupNote(serializedBytes: bytes) else { return nil }
        let history = { HistoryMessage.read(bytes).map { ControlMessage.history($0.group, $0.control) } }
        guard let read = Self.read(control) ?? history() else { return nil }
        self = read
    }

    private static func read(_ control: ProtoGroupNote) -> ControlMessage? {
        if !control.welcome.isEmpty {
            return (try? GroupWelcome(decoding: SecretBytes(copying: control.welcome))).map { .welcome($0) }
        }
        if !control.senderKey.isEmpty {
            guard let key = try? SenderKeyMessage(decoding: SecretBytes(copying: control.senderKey)),
                control.history.count == historyByteCount
            else { return nil }
            return .senderKey(key, history: [UInt8](control.history))
        }
        if !control.updates.isEmpty || !control.operations.isEmpty { return readOperations(control) }
        guard let group = GroupID(bytes: control.group) else { return nil }
        if control.leave { return .leave(group) }
        if control.operationsFrom > 0 { return .request(group, from: control.operationsFrom) }
        if control.wantsOwnerKey { return .wantsOwnerKey(group) }
        if !control.bundles.isEmpty { return readBundles(control, of: group) }
        return control.ownerKey.count == 32 ? .ownerKey(group, [UInt8](control.ownerKey)) : nil
    }

    private static func readBundles(_ control: ProtoGroupNote, of group: GroupID) -> ControlMessage? {
        guard control.bundles.count <= RoomRules.bundleCount else { return nil }
        let bundles = control.bundles.compactMap { try? PrekeyBundle(verifying: [UInt8]($0)) }
        return bundles.count == control.bundles.count ? .bundles(group, bundles) : nil
    }

    private static func readOperations(_ control: ProtoGroupNote) -> ControlMessage? {
        guard control.updates.count + control.operations.count <= operationCount else { return nil }
        let updates = control.updates.compactMap { try? GroupUpdate(decoding: SecretBytes(copying: $0)) }
        let bare = control.operations.compactMap { try? GroupOperation(decoding: [UInt8]($0)) }
        guard updates.count == control.updates.count, bare.count == control.operations.count else { return nil }
        let groups = Set(updates.map(\.operation.groupID) + bare.map(\.groupID))
        guard let group = groups.first, groups.count == 1 else { return nil }
        return .operations(group, updates: updates, bare: bare)
    }

    /// The encoded control message, only for a session with a member.
    package var encoded: [UInt8] {
        var control = ProtoGroupNote()
        switch self {
        case .welcome(let welcome): control.welcome = .bytes(welcome.encoded().exposedBytes)
        case .operations(_, let updates, let bare):
            control.updates = updates.map { .bytes($0.encoded().exposedBytes) }
            control.operations = bare.map { .bytes($0.bytes) }
        case .senderKey(let key, let history):
            control.senderKey = .bytes(key.encoded().exposedBytes)
            control.history = .bytes(history)
        case .leave: control.leave = true
        case .request(_, let epoch): control.operationsFrom = epoch
        case .wantsOwnerKey: control.wantsOwnerKey = true
        case .ownerKey(_, let key): control.ownerKey = .bytes(key)
        case .bundles(_, let bundles): control.bundles = bundles.map { .bytes($0.bytes) }
        case .history(let group, let control): return control.encoded(for: group)
        }
        switch self {
        case .leave, .request, .wantsOwnerKey, .ownerKey, .bundles: control.group = .bytes(group.bytes)
        case .welcome, .operations, .senderKey, .history: break
        }
        // Encoding fails only for missing required fields, which proto3 does not have.
        return (try? control.serializedBytes()) ?? []
    }
}

extension SecretBytes {
    /// The bytes in ordinary memory, as required for content to be sealed.
    fileprivate var exposedBytes: [UInt8] { withBytes { Array($0) } }
}
