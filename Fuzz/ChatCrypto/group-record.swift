#if !FUZZING
    @testable import ChatCrypto
#endif

/// Checks records of a group: a decoded record is encoded to the same bytes, and is usable.
func fuzzGroupRecord(_ input: [UInt8]) {
    var choices = Choices(input)
    let index = Int(choices.byte()) % records.count
    let bytes = choices.candidate(like: [records[index].value.exposed])
    var changed = records
    changed[index] = StoredRecord(id: records[index].id, value: SecretBytes(copying: bytes))
    if let host = try? RoomHost(restoring: changed[index], as: gathering.identities[0], at: People.now) {
        precondition(host.pending.count <= RoomLimits.maximumPending)
        _ = required { try RoomHost(restoring: host.saved().saved[0], as: gathering.identities[0], at: 0) }
    }
    guard var table = try? GroupTable.restore(changed), let id = table.groupIDs.first else { return }
    let session = required { table[id] }
    if records[index].id.kind == .group { precondition(session.encoded().exposed == bytes) }
    _ = table.open(gathering.packet, at: People.now)
    _ = table.update(id) { try? $0.seal([[1]], at: People.now) }
    _ = table.expire(at: .max)
}

/// All records of one member who has written and read, and the record of a host.
private let records: [StoredRecord] = {
    var session = gathering.sessions[0]
    var change = session.saved()
    _ = session.open(gathering.packet, at: People.now)
    for key in session.received.values { session.save(key, in: &change) }
    change.append(RoomHost(room: session.id, as: gathering.identities[0], admission: .code, at: People.now).saved())
    return change.saved
}()
