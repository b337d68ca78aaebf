package import ChatCrypto
import SwiftProtobuf

/// The part of a message's record that only messages to groups have.
///
/// It is encoded as bytes in the record, so that records of direct messages stay unchanged and cost nothing.
extension ProtoMessageRecord {
    /// The part, which each access decodes: several fields are read from one copy.
    var part: ProtoGroupPartRecord {
        get {
            groupPart.isEmpty
                ? ProtoGroupPartRecord() : (try? ProtoGroupPartRecord(serializedBytes: groupPart)) ?? .init()
        }
        // Encoding fails only for missing required fields, which proto3 does not have.
        set { groupPart = .bytes((try? newValue.serializedBytes() as [UInt8]) ?? []) }
    }

    /// The recipient status of an own message for each of its recipients.
    package var receptions: [ProtoReceptionRecord] {
        get { part.receptions }
        set { part.receptions = newValue }
    }

    /// Whether only some of the members confirm it.
    package var isSampled: Bool {
        get { !groupPart.isEmpty && part.sampled }
        set { part.sampled = newValue }
    }

    /// The epoch in which it was sealed; 0 if it is unknown.
    var epoch: UInt32 {
        get { part.epoch }
        set { part.epoch = newValue }
    }

    /// Whether it was not opened here, and other members attest it.
    package var isAttested: Bool { !outgoing && !groupPart.isEmpty && !part.vouchers.isEmpty }

    /// The members who attest the message, in the order of their attestations; empty for a message that was opened
    /// here.
    package var attesters: [PeerID] {
        get { outgoing || groupPart.isEmpty ? [] : part.vouchers.compactMap { PeerID(bytes: $0) } }
        set { part.vouchers = newValue.map { .bytes($0.bytes) } }
    }

    /// The changes of the message that its attesters attest.
    package var attestedChanges: MessageChanges {
        get { MessageChanges(part.vouched) }
        set { part.vouched = newValue.record }
    }

    /// Forgets the attesters and the attested changes.
    mutating func forgetAttesters() {
        guard isAttested else { return }
        part.vouchers = []
        part.clearVouched()
    }

    /// The changes as they are shown: those that were opened here, above the attested ones.
    var shownChanges: MessageChanges {
        let own = MessageChanges(changes)
        return isAttested ? own.above(attestedChanges) : own
    }
}
