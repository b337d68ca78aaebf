#if !FUZZING
    @testable import ChatCrypto
#endif

/// Checks records of peers: a decoded record is encoded to the same bytes, and the book can use it.
func fuzzTrustRecord(_ input: [UInt8]) {
    var choices = Choices(input)
    let bytes = choices.candidate(like: examples)
    guard let peer = try? KnownPeer(decoding: bytes) else { return }
    precondition(peer.encoded() == bytes)
    let id = peer.identity.id
    let storage = OneRecord(record: TrustRecord(peer: id, bytes: bytes))
    guard var book = try? TrustBook(owner: people.identities[0].publicIdentity, restoring: storage) else { return }
    _ = book.see(people.tables[1].bundle, at: People.now)
    book.expire(at: .max)
    _ = try? book.pin(id)
    _ = try? book.accept(id, at: People.now)
    _ = try? book.block(id)
    _ = try? book.unblock(id)
    precondition(book.all.allSatisfy { (try? KnownPeer(decoding: $0.encoded()))?.encoded() == $0.encoded() })
}

private struct OneRecord: TrustStorage {
    let record: TrustRecord

    func trustRecords() -> [TrustRecord] { [record] }
    mutating func save(_ record: TrustRecord) {}
    mutating func deleteTrustRecord(of peer: PeerID) {}
}

private let examples = [people.identities[1], Identity()].map { identity in
    var peer = KnownPeer(identity: identity.publicIdentity, firstSeen: People.now)
    peer.rename(petname: try? Nickname("Bobby"), nickname: try? Nickname("Bob"))
    peer.isPinned = true
    peer.successor = people.identities[0].publicIdentity
    peer.retiredAt = People.now
    peer.claimants = [people.identities[0].publicIdentity.id]
    peer.settledClaimants = [people.identities[1].publicIdentity.id]
    return peer.encoded()
}
