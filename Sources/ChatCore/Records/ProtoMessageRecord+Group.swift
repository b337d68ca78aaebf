package import ChatCrypto
import SwiftProtobuf

/// What a record has of a message because it went to a group.
///
/// It stands there in bytes, so that records of messages between two stay as they are and cost nothing.
extension ProtoMessageRecord {
    private var part: ProtoGroupPartRecord {
        get {
            groupPart.isEmpty
                ? ProtoGroupPartRecord() : (try? ProtoGroupPartRecord(serializedBytes: groupPart)) ?? .init()
        }
        // Encoding fails only for required fields that are missing, which proto3 has not.
        set { groupPart = .bytes((try? newValue.serializedBytes() as [UInt8]) ?? []) }
    }

    /// How far an own message has come to those it is for.
    package var receptions: [ProtoReceptionRecord] {
        get { part.receptions }
        set { part.receptions = newValue }
    }

    /// The epoch in which it was sealed; 0 where that is not known.
    var epoch: UInt32 {
        get { part.epoch }
        set { part.epoch = newValue }
    }

    /// Whether it was not opened here, and others say that it was sent.
    package var isVouched: Bool { !outgoing && !groupPart.isEmpty && !part.vouchers.isEmpty }

    /// Who says that it was sent, the first in front; none of a message that was opened here.
    package var vouchers: [PeerID] {
        get { outgoing || groupPart.isEmpty ? [] : part.vouchers.compactMap { PeerID(bytes: $0) } }
        set { part.vouchers = newValue.map { .bytes($0.bytes) } }
    }

    /// What those say became of it.
    package var vouchedChanges: MessageChanges {
        get { MessageChanges(part.vouched) }
        set { part.vouched = newValue.record }
    }

    /// Forgets what others say.
    mutating func forgetVouchers() {
        guard isVouched else { return }
        part.vouchers = []
        part.clearVouched()
    }

    /// What became of it, as it is shown: what was opened here, above what others say.
    var shownChanges: MessageChanges {
        let own = MessageChanges(changes)
        return isVouched ? own.above(vouchedChanges) : own
    }
}
