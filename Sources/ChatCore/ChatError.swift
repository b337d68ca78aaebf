public import ChatCrypto

/// An error of a node, with the remedy.
public struct ChatError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of an error; the set is open.
    public struct Code: Hashable, Sendable {
        /// The name that programs read.
        public let name: String

        /// The name is not a nickname: empty, too long, or with characters that hide others.
        public static let badName = Code(name: "badName")
        /// No such contact, conversation or message exists.
        public static let notFound = Code(name: "notFound")
        /// The name fits several contacts; their ids are in `candidates`.
        public static let ambiguous = Code(name: "ambiguous")
        /// Trust forbids it: the contact is changed, revoked or blocked.
        public static let refusedByTrust = Code(name: "refusedByTrust")
        /// A text or file is too large to send.
        public static let tooLarge = Code(name: "tooLarge")
        /// This node is not a member of the group, or no longer.
        public static let notMember = Code(name: "notMember")
        /// Only the owner of a group may do this.
        public static let notOwner = Code(name: "notOwner")
        /// This node owns the group, so it cannot leave it.
        public static let ownsGroup = Code(name: "ownsGroup")
        /// The owner of the group has signed two histories of it: the group accepts nothing more.
        public static let frozen = Code(name: "frozen")
        /// The code of a room is wrong, or another node pretends to be its host.
        public static let wrongCode = Code(name: "wrongCode")
        /// The join credential is neither a code nor an invite nor the id of a room.
        public static let badCredential = Code(name: "badTicket")
        /// The room admits nobody by a code at the moment.
        public static let admissionClosed = Code(name: "doorShut")
        /// The room's host rejects this node.
        public static let rejected = Code(name: "turnedDown")
        /// The room's time is over.
        public static let expired = Code(name: "expired")
        /// The duration of a room is too long or too short.
        public static let badDuration = Code(name: "badDuration")
        /// The number of a room's members is too large or too small.
        public static let badCount = Code(name: "badCount")
        /// There is nothing to send.
        public static let empty = Code(name: "empty")
        /// The reaction is not one emoji.
        public static let notEmoji = Code(name: "notEmoji")
        /// Only the author of a message may do this.
        public static let notAuthor = Code(name: "notAuthor")
        /// The poll does not accept this choice.
        public static let noSuchOption = Code(name: "noSuchOption")
        /// The poll accepts no more votes, or none of this member.
        public static let closed = Code(name: "closed")
        /// The number compared is not the safety number.
        public static let numberMismatch = Code(name: "numberMismatch")
        /// There is no session with the peer yet: the two have not exchanged messages.
        public static let noSession = Code(name: "noSession")
        /// The task that waited for the call was cancelled, so nothing was sent.
        public static let cancelled = Code(name: "cancelled")
        /// The peer did not answer in time.
        public static let noAnswer = Code(name: "noAnswer")
        /// Too many messages wait already, or too many files are kept.
        public static let limited = Code(name: "limited")
        /// The passphrase of the data directory is wrong or missing.
        public static let locked = Code(name: "locked")
        /// The new passphrase is empty.
        public static let badPassphrase = Code(name: "badPassphrase")
        /// The data directory has a passphrase already.
        public static let hasPassphrase = Code(name: "hasPassphrase")
        /// The data directory has no passphrase.
        public static let noPassphrase = Code(name: "noPassphrase")
        /// The restoring of an identity in the data directory was interrupted.
        public static let restoring = Code(name: "restoring")
        /// The data directory is being erased, or an interrupted erasure has just been finished.
        public static let erasing = Code(name: "erasing")
        /// A file of this machine cannot be read, written or used as it is.
        public static let fileUnusable = Code(name: "fileUnusable")
        /// The metadata of a picture or recording cannot be stripped, or the file does not match its message.
        public static let mediaRefused = Code(name: "mediaRefused")
        /// The node has no media sanitizer for pictures and recordings.
        public static let noMediaCleaner = Code(name: "noMediaCleaner")
        /// The file of a message has not arrived yet.
        public static let notHere = Code(name: "notHere")
        /// Another process owns the data directory.
        public static let homeInUse = Code(name: "homeInUse")
        /// The data directory has no identity yet.
        public static let noIdentity = Code(name: "noIdentity")
        /// The data directory exists and has an identity already.
        public static let alreadyInitialised = Code(name: "alreadyInitialised")
        /// The data directory cannot be read or written.
        public static let homeUnusable = Code(name: "homeUnusable")
        /// A newer version wrote the data directory.
        public static let homeNewer = Code(name: "homeNewer")
        /// The files of the data directory are damaged.
        public static let homeCorrupt = Code(name: "homeCorrupt")
        /// The mesh could not be started.
        public static let meshUnavailable = Code(name: "meshUnavailable")
        /// The processor or the system lacks what the cryptography needs.
        public static let cryptographyUnavailable = Code(name: "cryptographyUnavailable")
        /// The node is suspended until its next start.
        public static let suspended = Code(name: "suspended")
        /// The node has been stopped.
        public static let stopped = Code(name: "stopped")
    }

    /// The kind of the error.
    public let code: Code
    /// One sentence for the user, with the remedy.
    public let reason: String
    /// The trust state that refused, for `refusedByTrust`.
    public var trust: TrustState?
    /// The peers that the name fits, for `ambiguous`.
    public var candidates: [PeerID] = []
    /// The allowed size, for `tooLarge`.
    ///
    /// Units: bytes.
    public var limit: Int?
    /// The time until a retry can succeed, for `limited` if it is known.
    public var retryAfter: Duration?

    /// Makes an error.
    public init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    /// The reason.
    public var description: String { reason }
}
