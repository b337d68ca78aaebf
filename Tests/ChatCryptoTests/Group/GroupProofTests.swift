import Testing

@testable import ChatCrypto

@Suite("Checkpoints that prove nothing")
struct GroupProofTests {
    /// Whether a checkpoint of these parts is read.
    private static func isRead(
        _ proofs: [GroupOperation],
        _ last: GroupOperation,
        _ state: LogState,
        of log: MembershipLog
    ) -> Bool {
        let bytes = GroupForger.checkpoint(proofs, last, state)
        return (try? GroupCheckpoint(decoding: bytes, foundingKey: log.foundingKey)) != nil
    }

    /// A group whose fourth member is the successor, with the parts of its checkpoint.
    private struct Parts {
        var circle: GroupCircle
        let key: GroupOwnerKey
        let grant: GroupOperation
        let last: GroupOperation
        let state: LogState
        var log: MembershipLog { circle.sessions[0].log }

        init() throws {
            circle = try GroupCircle(4)
            grant = try circle.name(3)
            last = try circle.perform([.rename(GroupTitle("Proofs"))]).operation
            key = try #require(circle.sessions[0].ownerKey)
            state = circle.sessions[0].log.state
        }

        func isRead(_ proofs: [GroupOperation], _ last: GroupOperation? = nil, _ state: LogState? = nil) -> Bool {
            GroupProofTests.isRead(proofs, last ?? self.last, state ?? self.state, of: log)
        }

        func operation(_ edits: [GroupEdit], epoch: UInt32, by signer: GroupOwnerKey? = nil) -> GroupOperation {
            GroupForger.operation(edits, after: log, epoch: epoch, by: signer ?? key)
        }
    }

    @Test("Proofs are transfers, and operations that named a successor who has the right or has used it")
    func kinds() throws {
        let parts = try Parts()
        #expect(parts.isRead([parts.grant]))
        #expect(!parts.isRead([]), "the state has a successor")
        let rename = parts.operation([.rename(try GroupTitle("Poison"))], epoch: 1)
        #expect(!parts.isRead([rename, parts.grant]))
        let plain = parts.operation([.policy(.standard)], epoch: 1)
        #expect(!parts.isRead([plain, parts.grant]))
        #expect(!parts.isRead([parts.grant, parts.grant]))
        let again = parts.operation(parts.grant.edits, epoch: parts.grant.epoch + 1)
        let last = parts.operation([], epoch: 20)
        #expect(parts.isRead([parts.grant], last) && !parts.isRead([parts.grant, again], last))
        #expect(!parts.isRead([parts.grant], last, MembershipLog(foundingKey: parts.log.foundingKey).state))
        let other = parts.operation([.policy(try parts.circle.policy(successor: 2, parts.key.publicKey))], epoch: 2)
        #expect(!parts.isRead([other], last), "another successor than that of the state")
        let unsigned = parts.operation(parts.grant.edits, epoch: 2, by: GroupOwnerKey())
        #expect(!parts.isRead([unsigned], last))
    }

    @Test("The epochs of proofs rise, and lie before that of the last operation")
    func order() throws {
        let parts = try Parts()
        let last = parts.operation([], epoch: 20)
        for (epoch, isRead) in [(2, true), (19, true), (20, false), (21, false)] as [(UInt32, Bool)] {
            let grant = parts.operation(parts.grant.edits, epoch: epoch)
            #expect(parts.isRead([grant], last) == isRead, "epoch \(epoch)")
        }
        let heir = GroupOwnerKey()
        let moved = parts.operation([.handover(1, signingKey: heir.publicKey)], epoch: 4)
        let signed = parts.operation([], epoch: 20, by: heir)
        let late = parts.operation(parts.grant.edits, epoch: 6, by: heir)
        #expect(parts.isRead([moved, late], signed) && !parts.isRead([late, moved], signed))
    }

    @Test("A successor whom a handover made the owner has no right to take over any more")
    func handedSuccessor() throws {
        let parts = try Parts()
        let heir = GroupOwnerKey()
        let moved = parts.operation([.handover(3, signingKey: heir.publicKey)], epoch: 10)
        #expect(!parts.isRead([parts.grant, moved], parts.operation([], epoch: 20, by: heir)))
        let other = parts.operation([.handover(2, signingKey: heir.publicKey)], epoch: 10)
        #expect(parts.isRead([parts.grant, other], parts.operation([], epoch: 20, by: heir)))
    }

    @Test("A takeover needs the right and the key of the successor, and uses it once")
    func takeovers() throws {
        let parts = try Parts()
        let key = try #require(parts.circle.sessions[3].offeredKey)
        var after = parts.state
        _ = try after.apply([.takeover], at: 9, signingKey: parts.key.publicKey)
        let takeover = parts.operation([.takeover], epoch: 10, by: key)
        let last = GroupOperation(
            [],
            of: parts.log.groupID,
            epoch: 20,
            after: parts.log.hash,
            result: (after.root, after.table.depth),
            tree: nil,
            by: key
        )
        #expect(parts.isRead([parts.grant, takeover], last, after))
        #expect(!parts.isRead([takeover], last, after))
        #expect(
            !parts.isRead([parts.grant, parts.operation([.takeover], epoch: 10)], last, after),
            "signed by the owner"
        )
        #expect(!parts.isRead([parts.grant, takeover, parts.operation([.takeover], epoch: 11, by: key)], last, after))
        let log = try GroupCheckpoint(
            decoding: GroupForger.checkpoint([parts.grant, takeover], last, after),
            foundingKey: parts.log.foundingKey
        ).log(at: 0)
        #expect(log.signingKey == key.publicKey && log.successorKey == nil)
        #expect(log.signers.first { $0.since == parts.grant.epoch + 1 }?.successor == key.publicKey)
    }

    @Test("256 transfers are the limit, in a checkpoint as in a group")
    func count() throws {
        let log = try GroupCircle(2).sessions[0]
        let keys = (0..<258).map { _ in GroupOwnerKey() }
        func checkpoint(_ count: Int) throws -> Bool {
            var (signer, proofs) = (try #require(log.ownerKey), [GroupOperation]())
            for number in 0..<count {
                let edits = [GroupEdit.handover(1, signingKey: keys[number].publicKey)]
                let epoch = UInt32(number) + 2
                proofs.append(GroupForger.operation(edits, after: log.log, epoch: epoch, by: signer))
                signer = keys[number]
            }
            let last = GroupForger.operation([], after: log.log, epoch: 1_000, by: signer)
            return Self.isRead(proofs, last, log.log.state, of: log.log)
        }
        #expect(try checkpoint(GroupLimits.maximumTransfers))
        #expect(try !checkpoint(GroupLimits.maximumTransfers + 1))
    }

    @Test("A group with damaged records is set aside, and the others open")
    func damagedGroup() throws {
        var (circle, other) = (try GroupCircle(2), try GroupCircle(2))
        let id = circle.sessions[1].id
        let record = StoredRecord.ID(kind: .group, bytes: id.bytes)
        var change = SessionChange()
        change.save(.group, id.bytes, SecretBytes(copying: [9]))
        circle.stores[1].write(change)
        var table = try GroupTable.restore(circle.stores[1].records + other.stores[1].records)
        #expect(table.damaged == [id] && table.groupIDs == [other.sessions[1].id] && table[id] == nil)
        let packet = try other.say("still here", by: 0)
        let opened = table.open(packet, at: GroupCircle.now)
        #expect(Heard(opened?.opening) == .text("still here", other.id(0)))
        #expect(throws: CryptoError(.invalidOperation, "")) { try table.insert(circle.sessions[1]) }
        let deletion = table.remove(id)
        #expect(Set(deletion.deleted) == Set(circle.stores[1].records.map(\.id)) && deletion.deleted.contains(record))
        try table.insert(circle.sessions[1])
        #expect(table.damaged.isEmpty)
    }
}
