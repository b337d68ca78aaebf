import ChatCrypto

/// A change of the records that ``Contacts`` has in the store.
///
/// These stand apart from the other effects, because nothing refuses them: sealing and opening bring no others.
enum ContactWrite: Sendable {
    /// The trust book's record of a peer; nil where it is to be deleted.
    case trust(PeerID, [UInt8]?)
    /// The keys, time and profile of a peer; nil where they are to be deleted.
    case peer(PeerID, ProtoPeerRecord?)
    /// The user's name and profile.
    case node
    /// The present identity.
    case identity(Identity)
    /// An identity before the present one.
    case former(FormerIdentity)
    /// The generation of a former identity that is to be deleted.
    case formerGone(UInt32)
    /// The identities that the user has had.
    case history(ProtoStandingRecord)
    /// The sessions of the identity of a generation.
    case sessions(SessionChange, UInt32)
}

/// A request of ``Contacts`` to others.
enum ContactEffect: Hashable, Sendable {
    /// Tell the user of the trust in a peer.
    case trust(TrustEvent)
    /// Tell the user of a contact that has changed.
    case changed(PeerID)
    /// Send the messages and receipts that waited until the user accepted a peer.
    case accepted(PeerID)
    /// End the entries that wait for a peer to which nothing may be sent.
    case refused(PeerID)
    /// Put a contact's new identity in the place of the one before it.
    case rotated(PeerID, to: PeerID)
    /// Remove a peer with a revoked identity from groups.
    case revoked(PeerID)
    /// End the messages that were written under the present identity, which is revoked.
    case ownRevoked
    /// End the entries of an identity, by its generation, whose keys are destroyed.
    case over(UInt32)
    /// Tell contacts of one of the user's identities.
    case announce
    /// Spread the new bundle.
    case publishBundle
}
