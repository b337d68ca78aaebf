/// One record of a session table or of a group, for storage that seals it.
public struct StoredRecord: Sendable {
    /// The kind of a record.
    public enum Kind: UInt8, Sendable, CaseIterable {
        /// A session, named by its ID (32 bytes).
        case session = 1
        /// An accepted prekey message, named by its ephemeral key (32 bytes).
        case prekeyMessage = 2
        /// A prekey of this node, named by its sequence (4 bytes).
        case prekey = 3
        /// The state of a room's host about guesses, named by the group's ID (16 bytes).
        case roomHost = 6
        /// The key exchange of a session, named by the session's ID (32 bytes).
        case exchange = 8
        /// A group, named by its ID (16 bytes).
        case group = 12
        /// A page of the members of a group, named by its ID and the page (17 bytes).
        case groupMembers = 13
        /// An operation of a group, named by its ID and the epoch (20 bytes).
        case groupOperation = 14
        /// A page of the node secrets of a group, named by its ID and the page (17 bytes).
        case groupSecrets = 15
        /// A page of an epoch's chain tree, named by the group's ID, the epoch and the page (21 bytes).
        case groupEpoch = 16
        /// The chains of a member in an epoch, named by the group's ID, the epoch and the slot (22 bytes), and pages of
        /// their keys, named by the device and the page as well (25 bytes).
        case groupChains = 17
    }

    /// The name of a record.
    public struct ID: Hashable, Sendable, Comparable {
        /// The kind of the record.
        public let kind: Kind
        /// The name of the record among those of its kind.
        public let bytes: [UInt8]

        /// Makes the name of a record.
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

    /// The name under which the record is stored.
    public let id: ID
    /// The content of the record.
    public let value: SecretBytes

    /// Makes a record; storage calls it for each record that it reads.
    public init(id: ID, value: SecretBytes) {
        self.id = id
        self.value = value
    }
}
