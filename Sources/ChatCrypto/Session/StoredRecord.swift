/// One record of a session table or of a group, for storage that seals it.
public struct StoredRecord: Sendable {
    /// What kind of thing a record holds.
    public enum Kind: UInt8, Sendable, CaseIterable {
        /// A session, named by its ID (32 bytes).
        case session = 1
        /// A first flight that was accepted, named by its ephemeral key (32 bytes).
        case flight = 2
        /// One's own prekey, named by its sequence (4 bytes).
        case prekey = 3
        /// A group's log and header keys, named by its ID (16 bytes).
        case group = 4
        /// Another member's sender key, named by the group's ID and its own (32 bytes).
        case receivedKey = 5
        /// What the host of a room remembers of guesses, named by the group's ID (16 bytes).
        case roomHost = 6
    }

    /// The name of a record.
    public struct ID: Hashable, Sendable, Comparable {
        /// What the record holds.
        public let kind: Kind
        /// Its name among its kind.
        public let bytes: [UInt8]

        /// Names a record.
        public init(kind: Kind, bytes: [UInt8]) {
            self.kind = kind
            self.bytes = bytes
        }

        /// Orders by kind, then by bytes.
        public static func < (left: ID, right: ID) -> Bool {
            guard left.kind == right.kind else { return left.kind.rawValue < right.kind.rawValue }
            return left.bytes.lexicographicallyPrecedes(right.bytes)
        }
    }

    /// The name it is stored under.
    public let id: ID
    /// The record itself.
    public let value: SecretBytes

    /// Makes a record, as storage does when it reads one.
    public init(id: ID, value: SecretBytes) {
        self.id = id
        self.value = value
    }
}
