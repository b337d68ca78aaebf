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
    var table = required { try GroupTable.restore(changed) }
    guard let id = table.groupIDs.first, let session = table[id] else {
        // A damaged group is deleted as a whole.
        let names = Set(changed.map(\.id).filter { $0.kind != .roomHost })
        precondition(Set(table.remove(required { table.damaged.first }).deleted) == names)
        return
    }
    if records[index].id.kind == .group { precondition(session.encoded().exposed == bytes) }
    _ = table.open(gathering.packet, at: People.now)
    _ = table.update(id) { try? $0.seal([[1]], by: gathering.identities[0], at: People.now) }
    _ = table.update(id) { try? $0.perform([.renewBlock], at: People.now) }
    _ = table.update(id) { try? $0.repair(at: People.now) }
    _ = table.update(id) { $0.apply(gathering.update.operation, at: People.now).outcome }
    _ = table.expire(at: .max)
}

/// All records of an owner who has written and read, and the record of a host.
private let records: [StoredRecord] = {
    var session = gathering.sessions[0]
    _ = session.open(gathering.packet, at: People.now)
    _ = required { try session.seal([[7]], by: gathering.identities[0], at: People.now) }
    session.markAll()
    var change = session.takeChange()
    change.append(RoomHost(room: session.id, as: gathering.identities[0], admission: .code, at: People.now).saved())
    return change.saved
}()
