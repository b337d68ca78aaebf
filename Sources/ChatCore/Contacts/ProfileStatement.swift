import SwiftProtobuf

/// A profile as its owner states it, beside a message or a receipt.
///
/// Of two statements the one with the higher revision holds, of equal ones the one there first: it does not matter in
/// what order they come, nor how often. Source: PROTOCOL §10.
struct ProfileStatement: Hashable, Sendable {
    /// The labels that are stated.
    var profile = Profile()
    /// Grows with every change; 0 if nothing was ever stated.
    var revision: UInt64 = 0

    init(_ profile: Profile = Profile(), revision: UInt64 = 0) {
        self.profile = profile
        self.revision = revision
    }

    /// Takes what a record or a content holds; an emoji that is none and a colour that is not known are left out.
    init(_ encoded: ProtoProfile) {
        profile.emoji = Emoji.isSingle(encoded.emoji) ? encoded.emoji : nil
        profile.colour = ProfileColour(number: encoded.colour)
        revision = encoded.revision
    }

    /// Takes what a content states; nil if that is nothing.
    init?(in content: [UInt8]) {
        guard let content = try? ProtoContent(serializedBytes: content), !content.profile.isEmpty,
            let stated = try? ProtoProfile(serializedBytes: content.profile), stated.revision > 0
        else { return nil }
        self.init(stated)
    }

    /// As a record or a content holds it.
    var encoded: ProtoProfile {
        var encoded = ProtoProfile()
        encoded.emoji = profile.emoji ?? ""
        encoded.colour = profile.colour?.number ?? 0
        encoded.revision = revision
        return encoded
    }

    /// Takes another profile; false if it is this one.
    ///
    /// - Parameter wall: Units: milliseconds since 1970.
    mutating func set(_ profile: Profile, at wall: UInt64) throws -> Bool {
        guard profile.emoji.map(Emoji.isSingle) ?? true else {
            throw ChatError(.badName, "That is not one emoji.")
        }
        guard profile != self.profile else { return false }
        self.profile = profile
        // The clock makes a statement after the restore of a backup newer than all before it.
        revision = max(revision.addingReportingOverflow(1).partialValue, wall)
        return true
    }

    /// A content with the statement behind it.
    ///
    /// A label never keeps a message back: one that has no room for it goes without.
    func stated(behind content: [UInt8], limit: Int) -> [UInt8] {
        guard revision > 0 else { return content }
        var field = ProtoContent()
        // Encoding fails only for required fields that are missing, which proto3 has not.
        let statement: [UInt8] = (try? encoded.serializedBytes()) ?? []
        field.profile = .bytes(statement)
        let bytes: [UInt8] = (try? field.serializedBytes()) ?? []
        guard content.count + bytes.count <= limit else { return content }
        // Fields of an encoded message may stand in any order, so what follows joins it.
        return content + bytes
    }
}
