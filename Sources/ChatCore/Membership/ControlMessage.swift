package import ChatCrypto
import SwiftProtobuf

/// A control message between members of a group, sent over their sessions.
///
/// Source: PROTOCOL §16.5.
package enum ControlMessage: Sendable {
    /// Admits the recipient, or gives a member its secrets anew.
    case welcome(GroupWelcome)
    /// Operations of the owner, in rising order.
    case operations(GroupID, [GroupOperation])
    /// The fresh secret of the recipient's leaf.
    case leaf(GroupID, LeafSecret)
    /// A part of what is too long for one content.
    case part(GroupID, GroupParts.Part)
    /// Announces that the sender leaves.
    case leave(GroupID)
    /// Requests operations, or a welcome.
    case request(GroupID, OperationRequest)
    /// Requests the key with which the recipient would own the group.
    case wantsOwnerKey(GroupID)
    /// The key with which the sender would own the group.
    case ownerKey(GroupID, [UInt8])
    /// Changes that an admin asks the owner for.
    case proposal(GroupID, GroupProposal)
    /// The prekey bundles to begin sessions with members of a room.
    case bundles(GroupID, [PrekeyBundle])
    /// Requests for earlier messages by new members, and the answers.
    case history(GroupID, HistoryMessage)

    /// The most operations of one control message.
    package static let operationCount = 64

    /// The group concerned.
    package var group: GroupID {
        switch self {
        case .welcome(let welcome): welcome.groupID
        case .operations(let group, _), .leaf(let group, _), .part(let group, _), .leave(let group),
            .request(let group, _), .wantsOwnerKey(let group), .ownerKey(let group, _), .proposal(let group, _),
            .bundles(let group, _), .history(let group, _):
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
        if !control.operations.isEmpty { return readOperations(control) }
        guard let group = GroupID(bytes: control.group) else { return nil }
        if control.leave { return .leave(group) }
        if control.operationsFrom > 0 {
            guard control.history.isEmpty || control.history.count == OperationRequest.historyByteCount else {
                return nil
            }
            return .request(
                group,
                OperationRequest(
                    from: control.operationsFrom,
                    history: [UInt8](control.history),
                    wantsPath: control.wantsPath
                )
            )
        }
        if control.wantsOwnerKey { return .wantsOwnerKey(group) }
        if !control.bundles.isEmpty { return readBundles(control, of: group) }
        if !control.leaf.isEmpty {
            return (try? LeafSecret(decoding: SecretBytes(copying: control.leaf))).map { .leaf(group, $0) }
        }
        if control.hasPart {
            let part = GroupParts.Part(control.part)
            return part.isValid ? .part(group, part) : nil
        }
        if !control.proposal.isEmpty {
            return (try? GroupProposal(decoding: [UInt8](control.proposal))).map { .proposal(group, $0) }
        }
        return control.ownerKey.count == 32 ? .ownerKey(group, [UInt8](control.ownerKey)) : nil
    }

    private static func readBundles(_ control: ProtoGroupNote, of group: GroupID) -> ControlMessage? {
        guard control.bundles.count <= RoomRules.bundleCount else { return nil }
        let bundles = control.bundles.compactMap { try? PrekeyBundle(verifying: [UInt8]($0)) }
        return bundles.count == control.bundles.count ? .bundles(group, bundles) : nil
    }

    private static func readOperations(_ control: ProtoGroupNote) -> ControlMessage? {
        guard control.operations.count <= operationCount else { return nil }
        let operations = control.operations.compactMap { try? GroupOperation(decoding: [UInt8]($0)) }
        guard operations.count == control.operations.count, let group = operations.first?.groupID,
            operations.allSatisfy({ $0.groupID == group }),
            zip(operations, operations.dropFirst()).allSatisfy({ $0.epoch <= $1.epoch })
        else { return nil }
        return .operations(group, operations)
    }

    /// The encoded control message, only for a session with a member.
    package var encoded: [UInt8] {
        var control = ProtoGroupNote()
        switch self {
        case .welcome(let welcome): control.welcome = .bytes(welcome.encoded().exposedBytes)
        case .operations(_, let operations): control.operations = operations.map { .bytes($0.bytes) }
        case .leaf(_, let secret): control.leaf = .bytes(secret.encoded().exposedBytes)
        case .part(_, let part): control.part = part.record
        case .leave: control.leave = true
        case .request(_, let request):
            (control.operationsFrom, control.wantsPath) = (request.from, request.wantsPath)
            control.history = .bytes(request.history)
        case .wantsOwnerKey: control.wantsOwnerKey = true
        case .ownerKey(_, let key): control.ownerKey = .bytes(key)
        case .proposal(_, let proposal): control.proposal = .bytes(proposal.bytes)
        case .bundles(_, let bundles): control.bundles = bundles.map { .bytes($0.bytes) }
        case .history(let group, let control): return control.encoded(for: group)
        }
        switch self {
        case .leave, .request, .wantsOwnerKey, .ownerKey, .proposal, .bundles, .leaf, .part:
            control.group = .bytes(group.bytes)
        case .welcome, .operations, .history: break
        }
        // Encoding fails only for missing required fields, which proto3 does not have.
        return (try? control.serializedBytes()) ?? []
    }
}

extension SecretBytes {
    /// The bytes in ordinary memory, as required for content to be sealed.
    var exposedBytes: [UInt8] { withBytes { Array($0) } }
}

extension GroupParts.Part {
    init(_ record: ProtoGroupPart) {
        self.init(
            isOfSecrets: record.secrets,
            epoch: record.epoch,
            byteCount: record.byteCount,
            offset: record.offset,
            bytes: [UInt8](record.bytes)
        )
    }

    var record: ProtoGroupPart {
        var record = ProtoGroupPart()
        record.secrets = isOfSecrets
        (record.epoch, record.byteCount, record.offset) = (epoch, byteCount, offset)
        record.bytes = .bytes(bytes)
        return record
    }
}
