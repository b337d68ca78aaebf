import SwiftProtobuf

/// A profile as its owner states it, beside a message or a receipt.
///
/// Of two statements the one with the higher revision holds; of equal ones the first that arrived. Their order of
/// arrival and repetitions do not matter otherwise. Source: PROTOCOL §10.
struct ProfileStatement: Hashable, Sendable {
    /// The stated labels.
    var profile = Profile()
    /// The revision, which grows with every change; 0 if nothing was ever stated.
    var revision: UInt64 = 0

    init(_ profile: Profile = Profile(), revision: UInt64 = 0) {
        self.profile = profile
        self.revision = revision
    }

    /// Reads a profile from a record or a content; an invalid emoji and an unknown colour are left out.
    init(_ encoded: ProtoProfile) {
        profile.emoji = Emoji.isSingle(encoded.emoji) ? encoded.emoji : nil
        profile.colour = ProfileColour(number: encoded.colour)
        revision = encoded.revision
    }

    /// Reads the profile in a content; nil if there is none.
    init?(in content: ProtoContent) {
        guard !content.profile.isEmpty,
            let stated = try? ProtoProfile(serializedBytes: content.profile), stated.revision > 0
        else { return nil }
        self.init(stated)
    }

    /// The encoded profile for a record or a content.
    var encoded: ProtoProfile {
        var encoded = ProtoProfile()
        encoded.emoji = profile.emoji ?? ""
        encoded.colour = profile.colour?.number ?? 0
        encoded.revision = revision
        return encoded
    }

    /// Sets another profile; false if it is the same already.
    ///
    /// - Parameter wall: Units: milliseconds since 1970.
    mutating func set(_ profile: Profile, at wall: UInt64) throws -> Bool {
        guard profile.emoji.map(Emoji.isSingle) ?? true else {
            throw ChatError(.badName, "Give exactly one emoji.")
        }
        guard profile != self.profile else { return false }
        self.profile = profile
        // The clock makes a statement after the restore of a backup newer than all before it.
        revision = max(revision.addingReportingOverflow(1).partialValue, wall)
        return true
    }

    /// Returns a content with the statement appended.
    ///
    /// A label never holds a message back: a content without room for it is sent without it.
    func stated(behind content: [UInt8], limit: Int) -> [UInt8] {
        guard revision > 0 else { return content }
        var field = ProtoContent()
        // Encoding fails only for missing required fields, which proto3 does not have.
        let statement: [UInt8] = (try? encoded.serializedBytes()) ?? []
        field.profile = .bytes(statement)
        let bytes: [UInt8] = (try? field.serializedBytes()) ?? []
        guard content.count + bytes.count <= limit else { return content }
        // Fields of an encoded message may be in any order, so appended fields become part of it.
        return content + bytes
    }
}
