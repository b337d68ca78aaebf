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
    guard var recordStore = try? TrustStore(owner: people.identities[0].publicIdentity, restoring: storage) else {
        return
    }
    _ = recordStore.see(people.tables[1].bundle, at: People.now)
    recordStore.expire(at: .max)
    _ = try? recordStore.pin(id)
    _ = try? recordStore.accept(id, at: People.now)
    _ = try? recordStore.block(id)
    _ = try? recordStore.unblock(id)
    precondition(recordStore.all.allSatisfy { (try? KnownPeer(decoding: $0.encoded()))?.encoded() == $0.encoded() })
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
