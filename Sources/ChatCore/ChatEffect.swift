package import ChatCrypto
package import MeshCore

/// The events of a step for the transfers of large attachments, which are not part of the engine.
package enum TransferEvent: Sendable {
    /// A request to fetch an attachment.
    case fetch(BlobOrder)
    /// The removal of an attachment, or the end of its fetching.
    case drop(BlobID, file: String)
    /// The opening of a path to a peer.
    case pathOpened(PeerID)
    /// The loss of the path to a peer.
    case pathLost(PeerID)
    /// The arrival of a packet from a peer.
    case discovered(PeerID)
    /// A message of a transfer that arrived by a path.
    case message(BlobMessage, from: PeerID, on: PathLabel)
}

/// An effect that the shell carries out once the step that requests it is durable.
package enum ChatEffect: Sendable {
    /// Spreads an envelope.
    case submit(kind: EnvelopeKind, body: [UInt8], life: UInt16)
    /// Searches for a path: floods a hello.
    case openPath(hello: [UInt8])
    /// Sends a payload along a path.
    case sendOnPath(PathMessage)
    /// Links to a node, if it is discovered here.
    case linkDirectly(NodeID)
    /// Allows the owner of a group to sign its next operation.
    case confirmed(GroupID)
    /// Ends a ping with its answer, or with nil if none arrived in time.
    case endPing(UInt64, PingAnswer?)
    /// Spreads the pieces of an attachment.
    case spread(BlobSource, isForMany: Bool)
    /// Writes the pieces of an attachment for a mailbox.
    case spreadFar(BlobSource, to: MailboxKey)
    /// Delivers again what the mesh stores on this node: messages to groups only, or also those of sessions.
    case recallSealed(withControlMessages: Bool)
    /// Delivers again the prekey messages that the mesh stores on this node, and the mail of mailboxes.
    case recallPrekeyMessages
    /// Delivers again the pieces with these tags that the mesh stores on this node.
    case recall(tags: [[UInt8]])
    /// Fetches the pieces with these tags from the nodes that keep them.
    case fetchPieces(tags: [[UInt8]])
    /// Ends the fetch of the pieces with this tag.
    case endFetch(tag: [UInt8])
    /// Notifies the transfers of large attachments.
    case transfer(TransferEvent)
    /// Notifies the keeper of this room.
    case room(RoomTransition)
    /// Notifies the subscribers.
    case notify(ChatEvent)
}
