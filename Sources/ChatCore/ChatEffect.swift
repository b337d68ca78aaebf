package import ChatCrypto
package import MeshCore

/// What a step tells the transfers of large objects, which are no part of it.
package enum TransferNews: Sendable {
    /// An object is to be fetched.
    case fetch(BlobOrder)
    /// An object is gone, or not wanted any more.
    case drop(BlobID, file: String)
    /// There is a path to a peer.
    case pathOpened(PeerID)
    /// There is no path to a peer any more.
    case pathLost(PeerID)
    /// Something came from a peer.
    case heard(PeerID)
    /// A message of a transfer came by a path.
    case message(BlobMessage, from: PeerID, on: PathLabel)
}

/// What follows once the step that asks for it is durable.
package enum ChatEffect: Sendable {
    /// Spread an envelope.
    case submit(kind: EnvelopeKind, body: [UInt8], life: UInt16)
    /// Look for a path: flood a hello under an own label.
    case openPath(PathLabel, hello: [UInt8])
    /// Send a payload along a path.
    case sendOnPath(PathMessage)
    /// Link to a node, if it is heard here.
    case linkDirectly(NodeID)
    /// The owner of a group may sign its next operation.
    case confirmed(GroupID)
    /// A ping has its answer, or none in time.
    case endPing(UInt64, PingAnswer?)
    /// Spread the pieces of an object.
    case spread(BlobSource)
    /// Hand over once more what the mesh holds here: to groups alone, or with what sessions bring.
    case recallSealed(withNotes: Bool)
    /// Hand over once more the pieces with these tags that the mesh holds here.
    case recall(tags: [[UInt8]])
    /// Something that the transfers of large objects go by.
    case transfer(TransferNews)
    /// Something that who keeps this room has to know.
    case room(RoomNews)
    /// Tell the subscribers.
    case tell(ChatEvent)
}
