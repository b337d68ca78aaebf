import MeshCore

/// The limits of mail between meshes; PROTOCOL §12 lists them with their reasons.
package enum FarLimits {
    /// The time after an announcement for which a gateway counts as present: three of them may be lost.
    static let gatewayAge = Duration.seconds(900)
    /// The time between two requests for the mail of all own mailboxes.
    static let watchInterval = Duration.seconds(900)
    /// The time for which new mailboxes are gathered, so that one request names them.
    static let watchDelay = Duration.seconds(1)
    /// The shortest time between two requests because of new mailboxes: unknown peers can begin sessions.
    static let watchPause = Duration.seconds(30)
    /// The time in which the mesh writes what it got to disk: it begins within a second.
    static let storingTime = Duration.milliseconds(1_500)
    /// The shortest time between two receipts for the same message from another mesh.
    static let confirmationPause = Duration.seconds(60)
    /// The most sessions whose mailboxes are known not to be new.
    static let sessionCount = 8_192
    /// The life of a request for mail (20 min).
    ///
    /// Units: ticks of 10 s.
    static let watchLife: UInt16 = 120
    /// The most mailboxes that this node watches: those of the peers that wrote last.
    package static let tagCount = 2_048
    /// The time before and after midnight UTC in which clocks that are a little wrong put mail under the next day.
    ///
    /// Units: seconds.
    static let midnightSeconds: UInt32 = 5_400
    /// The most own invites at once; each is a mailbox more to watch.
    static let ownInviteCount = 16
    /// The most invites of peers who have not answered.
    static let followedInviteCount = 64
    /// The most hubs that an announcement of a gateway names.
    static let announcedHubCount = 29
    /// The pieces of files that a node writes for mailboxes on a day, and those of one conversation.
    static let (filePieceCount, conversationPieceCount) = (1_024, 512)
    /// The pieces of long texts that a node writes for mailboxes on a day.
    static let textPieceCount = 256
    /// The most envelopes that a node remembers to have written for far peers.
    static let writtenCount = 20_000
    /// The most hubs of which a message's details name copies.
    static let copyCount = 4
    /// The most keys of mailboxes that are kept, those from which mail came last.
    static let keyCount = 64
}
