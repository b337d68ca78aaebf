import ChatCrypto

/// A change of the records that ``Contacts`` has in the store.
///
/// These are separate from the other effects, because they cannot fail: sealing and opening cause no others.
enum ContactWrite: Sendable {
    /// The trust store's record of a peer; nil to delete it.
    case trust(PeerID, [UInt8]?)
    /// The keys, time and profile of a peer; nil to delete them.
    case peer(PeerID, ProtoPeerRecord?)
    /// The user's name and profile.
    case node
    /// The present identity.
    case identity(Identity)
    /// An identity before the present one.
    case former(FormerIdentity)
    /// The generation of a former identity to delete.
    case formerGone(UInt32)
    /// The identities that the user has had.
    case history(ProtoStandingRecord)
    /// The sessions of the identity of a generation.
    case sessions(SessionChange, UInt32)
}

/// A request of ``Contacts`` to the engine.
enum ContactEffect: Hashable, Sendable {
    /// Notifies the user of a change of the trust in a peer.
    case trust(TrustEvent)
    /// Notifies the user of a contact that has changed.
    case changed(PeerID)
    /// Sends the messages and receipts that waited until the user accepted a peer.
    case accepted(PeerID)
    /// Ends the entries that wait for a peer to which nothing may be sent.
    case refused(PeerID)
    /// Replaces a contact's identity by its new one.
    case rotated(PeerID, to: PeerID)
    /// Removes a peer with a revoked identity from groups.
    case revoked(PeerID)
    /// Ends the messages that were written under the present identity, which is revoked.
    case ownRevoked
    /// Ends the entries of an identity, by its generation, whose keys are destroyed.
    case over(UInt32)
    /// Notifies contacts of one of the user's identities.
    case announce
    /// Spreads the new prekey bundle.
    case publishBundle
}
