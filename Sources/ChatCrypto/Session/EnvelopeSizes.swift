/// The sizes of the bodies of envelopes, by kind.
///
/// Units: bytes. Source: PROTOCOL §2.
package enum EnvelopeSizes {
    /// Session and group messages after their release hash.
    package static let sealed = CarrierKind.sealed.bodyByteCounts
    /// Prekey messages after their release hash.
    package static let prekey = CarrierKind.prekey.bodyByteCounts
    /// Messages that are worthless later.
    package static let live = CarrierKind.live.bodyByteCounts
    /// Kinds whose whole body is padded.
    package static let padded = live
    /// Prekey bundles: extension and nickname vary.
    package static let bundle =
        PrekeyBundle.fixedByteCount...PrekeyBundle.fixedByteCount + PrekeyBundle.maximumExtensionByteCount
        + Nickname.maximumByteCount
    /// Beacons of rooms and the four join messages.
    package static let room = padded.union([RoomBeacon.byteCount, JoinHello.byteCount, JoinAnswer.byteCount])
    /// Chunks: tag, proof and index, and a piece of at least one byte.
    package static let chunk = 21...16_380
    /// Messages that also lie in a mailbox: tag, name, and a sealed message.
    package static let far = Set(sealed.union(prekey).map { MailboxKey.overheadByteCount + $0 })
    /// Pieces of attachments that also lie in a mailbox: tag, name, and a sealed piece.
    package static let farChunk = Set(sealed.map { MailboxKey.overheadByteCount + $0 })
    /// Requests for the mail of mailboxes.
    package static let watch = 252
    /// Heads of large messages.
    package static let head = 108
}
