import ChatCrypto

/// An effect of the attachments, which the engine carries out.
enum AttachmentEffect: Sendable {
    /// Writes the record of an attachment.
    case put(BlobTable.Entry)
    /// Deletes the record and the file of an attachment, and ends its transfers.
    case drop(BlobTable.Entry)
    /// Writes bytes into a file.
    case write([UInt8], at: UInt64, file: String)
    /// Notifies the transfers of large attachments.
    case transfer(TransferEvent)
    /// Delivers the pieces with these tags again that the mesh stores on this node.
    case recall(tags: [[UInt8]])
    /// Fetches the pieces with these tags from the nodes that keep them.
    case fetchPieces(tags: [[UInt8]])
    /// Ends the fetch of the pieces with this tag.
    case endFetch(tag: [UInt8])
    /// Reports the bytes of a file that are here.
    case progress(BlobTable.Entry, byteCount: UInt64)
    /// Reports that a file does not arrive, or not yet.
    case failed(BlobID, in: ConversationID, FileFailure)
    /// Reports that a file of an attachment does not arrive, or not yet.
    case missed(BlobTable.Entry, FileFailure)
    /// Counts an attachment that is complete now.
    case arrived(BlobTable.Entry)
    /// Puts a long text, which is in these sealed bytes, into its message.
    case longText([UInt8], MessageID)
    /// Holds the receipt of a message back until its attachments are complete.
    case waits(MessageID)
    /// Releases the receipt that waited for a message's attachments.
    case completed(MessageID)
    /// Sends the pending receipts of a peer at once.
    case releaseReceipts(PeerID, isMember: Bool)
    /// Forgets the receipt of a message whose attachments did not arrive.
    case expired(MessageID)
}

/// The answers that the attachments need about the peers they come from.
protocol AttachmentSources {
    /// The present moment.
    var time: ChatTime { get }
    /// Whether the node fetches files that a peer sends, in a group or in the direct conversation.
    func wantsFiles(of peer: PeerID, in group: GroupID?) -> Bool
    /// Returns the other members of a group, the most recently seen first.
    func groupMembers(in group: GroupID) -> [PeerID]
    /// Whether a group has so many members that its small attachments go to all nodes.
    func spreadsToAll(_ group: GroupID) -> Bool
    /// Whether a peer was seen within ``ChatLimits/reachableAge``.
    func isReachable(_ peer: PeerID) -> Bool
    /// Whether a path to a peer may be opened.
    func mayOpenPath(to peer: PeerID) -> Bool
    /// Returns the members of a group who attest a message, in the order of their attestations.
    func attesters(of message: MessageID) -> [PeerID]
}
