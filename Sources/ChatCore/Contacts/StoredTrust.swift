import ChatCrypto

/// The trust store's records as the store holds them: the peer's id, then the record.
struct StoredTrust: TrustStorage {
    var records: [[UInt8]]

    func trustRecords() throws -> [TrustRecord] {
        records.compactMap { record in
            PeerID(bytes: record.prefix(PeerID.byteCount)).map { peer in
                TrustRecord(peer: peer, bytes: Array(record.dropFirst(PeerID.byteCount)))
            }
        }
    }

    mutating func save(_ record: TrustRecord) throws {
        records.append(record.peer.bytes + record.bytes)
    }

    mutating func deleteTrustRecord(of peer: PeerID) throws {
        records.removeAll { $0.starts(with: peer.bytes) }
    }
}
