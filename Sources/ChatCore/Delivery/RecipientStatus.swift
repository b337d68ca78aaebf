import ChatCrypto

/// The recipient status of a message to a group, for one member; it never goes down.
enum RecipientStatus: UInt8 {
    /// Nothing is known yet.
    case waiting
    /// The sender's user has cancelled the message.
    case cancelled
    /// No receipt arrived within the time that messages are kept.
    case expired
    /// The member has left the group, or was removed, before a receipt arrived.
    case notMember
    /// The member's node has it on disk.
    case delivered
    /// The member has seen it.
    case read

    /// Makes the end of a message for the members that have not confirmed it.
    init(_ failure: DeliveryFailure) {
        self =
            switch failure {
            case .cancelled: .cancelled
            case .notMember: .notMember
            case .expired, .refusedByTrust: .expired
            }
    }

    /// The corresponding status of a message.
    var status: DeliveryStatus {
        switch self {
        case .waiting: .sent
        case .cancelled: .failed(.cancelled)
        case .expired: .failed(.expired)
        case .notMember: .failed(.notMember)
        case .delivered: .delivered
        case .read: .read
        }
    }
}

extension ProtoReceptionRecord {
    /// The status of the member; an unreadable one counts as waiting.
    var recipientStatus: RecipientStatus { UInt8(exactly: status).flatMap(RecipientStatus.init) ?? .waiting }
}

extension ProtoMessageRecord {
    /// Lists the members whose receipts an own message waits for, and the epoch that it was sealed in.
    mutating func expectReceipts(of recipients: [PeerID], isSampled: Bool, in epoch: UInt32) {
        self.epoch = epoch
        self.isSampled = isSampled
        receptions = recipients.map { peer in
            var recipientStatus = ProtoReceptionRecord()
            recipientStatus.member = .bytes(peer.bytes)
            recipientStatus.status = UInt32(RecipientStatus.waiting.rawValue)
            return recipientStatus
        }
    }

    /// Moves the recipient status forward, of one member or of all, and returns the members whose status has changed.
    mutating func note(_ recipientStatus: RecipientStatus, by peer: PeerID?) -> [PeerID] {
        var (part, moved): (ProtoGroupPartRecord, [PeerID]) = (part, [])
        for (index, entry) in part.receptions.enumerated() where entry.status < recipientStatus.rawValue {
            guard let member = PeerID(bytes: entry.member), peer.map({ $0 == member }) ?? true else { continue }
            part.receptions[index].status = UInt32(recipientStatus.rawValue)
            moved.append(member)
        }
        if !moved.isEmpty { self.part = part }
        return moved
    }

    /// The combined status of all recipients: delivered when no present member lacks the message, and in a large group
    /// when 12 of those that confirm it have it.
    var receivedStatus: DeliveryStatus {
        let part = part
        let receptions = part.receptions.map(\.recipientStatus)
        let confirmed = receptions.count { $0.rawValue >= RecipientStatus.delivered.rawValue }
        let isWaiting = receptions.contains(.waiting)
        if part.sampled, confirmed >= ChatLimits.sampledReceiptCount, isWaiting { return .delivered }
        if receptions.isEmpty || isWaiting { return .queued }
        if receptions.contains(.cancelled) { return .failed(.cancelled) }
        if receptions.contains(.expired) { return .failed(.expired) }
        let present = receptions.filter { $0 != .notMember }
        if present.isEmpty { return .failed(.notMember) }
        return present.contains(.delivered) ? .delivered : .read
    }
}
