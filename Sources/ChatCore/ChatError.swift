public import ChatCrypto

/// What went wrong in a node, with what to do about it.
public struct ChatError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of error it is; the set is open.
    public struct Code: Hashable, Sendable {
        /// The name that programs read.
        public let name: String

        /// The name is not a nickname: empty, too long, or with characters that hide others.
        public static let badName = Code(name: "badName")
        /// No such contact, conversation or message.
        public static let notFound = Code(name: "notFound")
        /// The name fits several contacts; their ids are in `candidates`.
        public static let ambiguous = Code(name: "ambiguous")
        /// Trust forbids it: the contact is changed, revoked or blocked.
        public static let refusedByTrust = Code(name: "refusedByTrust")
        /// A text or file is larger than what can be sent.
        public static let tooLarge = Code(name: "tooLarge")
        /// This node is not in the group, or no longer.
        public static let notMember = Code(name: "notMember")
        /// Only the owner of a group does that.
        public static let notOwner = Code(name: "notOwner")
        /// This node owns the group, and cannot leave it so.
        public static let ownsGroup = Code(name: "ownsGroup")
        /// The owner of the group has signed two histories of it: nothing goes on in it.
        public static let frozen = Code(name: "frozen")
        /// The code of a room is wrong, or somebody plays its host.
        public static let wrongCode = Code(name: "wrongCode")
        /// What is to let somebody into a room is neither code nor invite nor the id of a room.
        public static let badTicket = Code(name: "badTicket")
        /// Nobody gets into the room by a code at the moment.
        public static let doorShut = Code(name: "doorShut")
        /// The room's host does not let this node in.
        public static let turnedDown = Code(name: "turnedDown")
        /// The room's time is over.
        public static let expired = Code(name: "expired")
        /// A room cannot last so long or so short.
        public static let badDuration = Code(name: "badDuration")
        /// A room cannot take so many or so few.
        public static let badCount = Code(name: "badCount")
        /// There is nothing to send.
        public static let empty = Code(name: "empty")
        /// What is to be a reaction is not one emoji.
        public static let notEmoji = Code(name: "notEmoji")
        /// Only the author of a message may do this.
        public static let notAuthor = Code(name: "notAuthor")
        /// A poll does not take this choice.
        public static let noSuchOption = Code(name: "noSuchOption")
        /// The poll takes no more votes, or none of this member.
        public static let closed = Code(name: "closed")
        /// The number compared is not the safety number.
        public static let numberMismatch = Code(name: "numberMismatch")
        /// There is no session with the peer yet: the two have not talked.
        public static let noSession = Code(name: "noSession")
        /// The peer did not answer in time.
        public static let noAnswer = Code(name: "noAnswer")
        /// Too many messages wait already, or too many files are kept.
        public static let limited = Code(name: "limited")
        /// The home's passphrase is wrong or missing.
        public static let locked = Code(name: "locked")
        /// A new passphrase is none.
        public static let badPassphrase = Code(name: "badPassphrase")
        /// The home has a passphrase already.
        public static let hasPassphrase = Code(name: "hasPassphrase")
        /// The home has no passphrase.
        public static let noPassphrase = Code(name: "noPassphrase")
        /// The restoring of an identity in the home was cut off.
        public static let restoring = Code(name: "restoring")
        /// The home is being erased, or an erasure that was cut off has just been finished.
        public static let erasing = Code(name: "erasing")
        /// A file of this machine cannot be read, written or used as it is.
        public static let fileUnusable = Code(name: "fileUnusable")
        /// A picture or recording cannot be cleaned, or is not what its message says.
        public static let mediaRefused = Code(name: "mediaRefused")
        /// The node has nothing to clean pictures and recordings with.
        public static let noMediaCleaner = Code(name: "noMediaCleaner")
        /// The file of a message has not come yet.
        public static let notHere = Code(name: "notHere")
        /// Another process owns the home.
        public static let homeInUse = Code(name: "homeInUse")
        /// The home has no identity yet.
        public static let noIdentity = Code(name: "noIdentity")
        /// The home exists and has an identity already.
        public static let alreadyInitialised = Code(name: "alreadyInitialised")
        /// The home cannot be read or written.
        public static let homeUnusable = Code(name: "homeUnusable")
        /// The home was written by a newer version.
        public static let homeNewer = Code(name: "homeNewer")
        /// The home's files are damaged.
        public static let homeCorrupt = Code(name: "homeCorrupt")
        /// The mesh could not be started.
        public static let meshUnavailable = Code(name: "meshUnavailable")
        /// The processor or the system lacks what the cryptography needs.
        public static let cryptographyUnavailable = Code(name: "cryptographyUnavailable")
        /// The node has been stopped.
        public static let stopped = Code(name: "stopped")
    }

    /// What kind of error it is.
    public let code: Code
    /// One sentence for a person, with what to do.
    public let reason: String
    /// The state of trust that refused, for `refusedByTrust`.
    public var trust: TrustState?
    /// The peers the name fits, for `ambiguous`.
    public var candidates: [PeerID] = []
    /// Units: bytes allowed, for `tooLarge`.
    public var limit: Int?
    /// How long it will be so, for `limited` where that is known.
    public var retryAfter: Duration?

    /// Makes an error.
    public init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    /// The reason.
    public var description: String { reason }
}
