import SwiftProtobuf

/// The hubs at which a person reads mail, as that person states them beside a message or a receipt.
///
/// Of two statements the one with the higher revision holds. Source: PROTOCOL §20.
struct HubStatement: Hashable, Sendable {
    /// The most hubs of a statement.
    static let maximumCount = 4

    /// The hubs; none if the person has left all hubs.
    private(set) var hubs: [HubAddress] = []
    /// The revision, which grows with every change; 0 if nothing was ever stated.
    private(set) var revision: UInt64 = 0

    /// Makes a statement that states nothing.
    init() {}

    /// Reads a statement from a record or a content; nil for one without a revision, or with a wrong address.
    init?(_ encoded: ProtoFarHubs) {
        guard encoded.revision > 0, encoded.addresses.count <= Self.maximumCount else { return nil }
        hubs = encoded.addresses.compactMap(HubAddress.init)
        revision = encoded.revision
        guard hubs.count == encoded.addresses.count else { return nil }
    }

    /// Reads the statement in a content; nil if there is none, or a wrong one.
    init?(in content: ProtoContent) {
        guard !content.farHubs.isEmpty, let encoded = try? ProtoFarHubs(serializedBytes: content.farHubs) else {
            return nil
        }
        self.init(encoded)
    }

    /// The encoded statement for a record or a content.
    var encoded: ProtoFarHubs {
        var encoded = ProtoFarHubs()
        encoded.addresses = hubs.map(\.text)
        encoded.revision = revision
        return encoded
    }

    /// Sets other hubs, of which the first four count; false if they are the same already.
    ///
    /// - Parameter wall: Units: milliseconds since 1970.
    mutating func set(_ hubs: [HubAddress], at wall: UInt64) -> Bool {
        let hubs = Array(hubs.prefix(Self.maximumCount))
        guard hubs != self.hubs else { return false }
        self.hubs = hubs
        raiseRevision(at: wall)
        return true
    }

    /// Raises the revision, so that contacts get the list again from a new identity; false if it names no hub.
    ///
    /// - Parameter wall: Units: milliseconds since 1970.
    mutating func renew(at wall: UInt64) -> Bool {
        guard !hubs.isEmpty else { return false }
        raiseRevision(at: wall)
        return true
    }

    private mutating func raiseRevision(at wall: UInt64) {
        // The clock makes a statement after the restore of a backup newer than all before it.
        revision = max(revision.addingReportingOverflow(1).partialValue, wall)
    }

    /// Returns a content with the statement appended; one without room for it stays as it is.
    func stated(behind content: [UInt8], limit: Int) -> [UInt8] {
        guard revision > 0 else { return content }
        var field = ProtoContent()
        // Encoding fails only for missing required fields, which proto3 does not have.
        let statement: [UInt8] = (try? encoded.serializedBytes()) ?? []
        field.farHubs = .bytes(statement)
        let whole = content + MessageContent.encoded(field)
        // Fields of an encoded message may be in any order, so appended fields become part of it.
        return whole.count <= limit ? whole : content
    }
}
