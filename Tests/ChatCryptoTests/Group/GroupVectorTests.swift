import Bytes
import Testing

@testable import ChatCrypto

@Suite("Known answers of groups")
struct GroupVectorTests {
    @Test("Step, parent, check and wrap of a node's secret come out as known")
    func nodes() throws {
        for known in try VectorFile("group_node").cases {
            let secret = SecretBytes(copying: try known.bytes("secret"))
            #expect(try NodeSecret.next(secret).exposed == known.bytes("next"))
            #expect(try NodeSecret.up(secret).exposed == known.bytes("up"))
            #expect(try NodeSecret.check(secret) == known.bytes("check"))
            let salt = try known.bytes("salt")
            let (key, nonce) = NodeSecret.wrapKey(secret, salt: salt)
            #expect(try key.exposed == known.bytes("wrap key") && nonce == known.bytes("wrap nonce"))
            let parent = TreeNode(level: try known.number("parent level"), index: try known.number("parent index"))
            let wrap = NodeSecret.wrap(
                SecretBytes(copying: try known.bytes("parent secret")),
                of: parent,
                under: secret,
                salt: salt,
                associatedData: try known.bytes("associated data")
            )
            #expect(try wrap == known.bytes("wrap"))
        }
    }

    /// The nodes of a case with their secrets.
    private static func nodes(_ known: VectorCase) throws -> [(node: TreeNode, secret: SecretBytes)] {
        var reader = ByteReader(try known.bytes("nodes"))
        var nodes: [(node: TreeNode, secret: SecretBytes)] = []
        while !reader.isAtEnd {
            guard let level = reader.byte(), let index = reader.integer(UInt16.self), let secret = reader.bytes(32)
            else {
                throw VectorError("the nodes are cut")
            }
            nodes.append((TreeNode(level: Int(level), index: Int(index)), SecretBytes(copying: secret)))
        }
        return nodes
    }

    /// The secrets from a slot to the root.
    private static func path(_ slot: UInt16, _ nodes: [(node: TreeNode, secret: SecretBytes)]) -> [SecretBytes] {
        nodes.filter { $0.node.covers(slot) }.map(\.secret)
    }

    @Test("The owner makes the known operations, and members follow them to the known secrets and keys")
    func operations() throws {
        let cases = try VectorFile("group_log").cases
        let founder = GroupOwnerKey(seed: SecretBytes(copying: try cases[0].bytes("owner seed")))
        var log = MembershipLog(foundingKey: founder.publicKey)
        var before: [(node: TreeNode, secret: SecretBytes)] = []
        #expect(try log.groupID.bytes == cases[0].bytes("group"))
        for known in cases {
            let (nodes, read) = (try Self.nodes(known), try GroupOperation(decoding: known.bytes("operation")))
            guard case .fits(let state, let plan) = log.prepare(read) else {
                Issue.record("\(known) does not fit: \(log.prepare(read))")
                return
            }
            let tree = try Self.performed(known, read, log, state, plan, before)
            let secrets = RecordPage.nodes(0, depth: tree.depth).map { ($0, tree.secret(of: $0)?.exposed) }
            #expect(secrets.filter { $0.1 != nil }.map(\.0) == nodes.map(\.node))
            #expect(secrets.compactMap(\.1) == nodes.map(\.secret.exposed))
            for (slot, entry) in state.table.members where entry.epoch <= log.epoch {
                let leaf = plan.renewed.contains(slot) ? nodes.first { $0.node == TreeNode(slot: slot) }?.secret : nil
                let result = MemberPath(slot: slot, present: Self.path(slot, before)).advanced(
                    plan,
                    depth: state.table.depth,
                    tree: read.tree,
                    leaf: leaf,
                    associatedData: Self.associatedData(log)
                )
                guard case .advanced(let secrets) = result else {
                    Issue.record("slot \(slot) of \(known): \(result)")
                    continue
                }
                #expect(secrets.map(\.exposed) == Self.path(slot, nodes).map(\.exposed))
            }
            try Self.check(known, read, state, root: #require(tree.root))
            _ = log.take(read, state, at: 0)
            before = nodes
        }
        #expect(log.title?.text == "Forest" && log.members.map(\.nickname?.text) == ["Alice", "Carol", nil])
    }

    private static func associatedData(_ log: MembershipLog) -> [UInt8] {
        GroupEpoch.associatedData(group: log.groupID, epoch: log.epoch, hash: log.hash)
    }

    /// Lets the owner make a known operation with the known random bytes, and returns its tree.
    private static func performed(
        _ known: VectorCase,
        _ read: GroupOperation,
        _ log: MembershipLog,
        _ state: LogState,
        _ plan: TreePlan,
        _ before: [(node: TreeNode, secret: SecretBytes)]
    ) throws -> OwnerTree {
        let stored = before.map {
            ($0.node, OwnerTree.Stored(secret: $0.secret, epoch: log.epoch, freshSince: 0, isUsed: false))
        }
        let restored = OwnerTree(epoch: log.epoch, nodes: stored, table: log.table)
        var tree = before.isEmpty ? OwnerTree() : try #require(restored)
        let performed = try Randomness.$tape.withValue(RandomTape(known.bytes("random"))) {
            tree.perform(plan, state.table, read.edits, associatedData: associatedData(log))
        }
        let operation = GroupOperation(
            read.edits,
            of: log.groupID,
            epoch: log.epoch + 1,
            after: log.hash,
            result: (state.root, state.table.depth),
            tree: try #require(performed).tree,
            by: GroupOwnerKey(seed: SecretBytes(copying: try known.bytes("owner seed")))
        )
        #expect(try operation.bytes == known.bytes("operation") && operation.hash == known.bytes("hash"))
        #expect(try state.table.root == known.bytes("table root"))
        return tree
    }

    /// Checks the keys of an epoch.
    private static func check(
        _ known: VectorCase,
        _ operation: GroupOperation,
        _ state: LogState,
        root: SecretBytes
    ) throws {
        let keys = GroupEpoch.keys(hash: operation.hash, root: root)
        #expect(
            try keys.header.exposed == known.bytes("header key") && keys.notice.exposed == known.bytes("notice key")
        )
        #expect(try keys.chainRoot.exposed == known.bytes("chain root"))
        let wrap = KeyWrap()
        let chains = ChainTree(root: keys.chainRoot, depth: state.table.depth, epoch: operation.epoch, wrap: wrap)
        let expected = try state.table.members.flatMap { slot, _ in
            let leaf = try #require(chains.leaf(slot, epoch: operation.epoch, wrap: wrap))
            let sender = SlotChains(epoch: operation.epoch, slot: slot, leaf: leaf, wrap: wrap)
            return try ([0, 4] as [UInt8]).flatMap { device in
                let chain = try #require(sender.chain(device, run: 0, wrap: wrap))
                let key = try #require(wrap.unwrap(chain.wrappedChainKey, for: chain.name.place(0)))
                return slot.bigEndianBytes + [device] + key.exposed
            }
        }
        #expect(try expected == known.bytes("chain keys"))
    }

    /// The epoch of the known messages.
    private static func epoch(_ known: VectorCase) throws -> GroupEpoch {
        let group = try #require(GroupID(bytes: try known.bytes("group")))
        let number = UInt32(try known.number("epoch"))
        let none = SecretBytes(copying: [UInt8](repeating: 0, count: 32))
        let keys = GroupEpoch.Keys(
            number: number,
            headerKey: SecretBytes(copying: try known.bytes("header key")),
            noticeKey: known.has("notice key") ? SecretBytes(copying: try known.bytes("notice key")) : none,
            associatedData: GroupEpoch.associatedData(group: group, epoch: number, hash: try known.bytes("log hash")),
            writers: nil,
            begunAt: 0,
            endedAt: nil,
            depth: 2
        )
        return GroupEpoch(keys, tree: ChainTree(root: none, depth: 2, epoch: number, wrap: KeyWrap()), senders: [:])
    }

    @Test("Messages are the known ones, and open")
    func messages() throws {
        for known in try VectorFile("group_message").cases.dropLast() {
            let epoch = try Self.epoch(known)
            let sender = try #require(PeerID(bytes: try known.bytes("sender")))
            let signing = Ed25519.SigningKey(seed: SecretBytes(copying: try known.bytes("signing seed")))
            var chain = SenderChain(chainKey: SecretBytes(copying: try known.bytes("chain key")), next: 0)
            while try chain.next < known.number("iteration") { chain.skip() }
            let header = GroupHeader(
                slot: UInt16(try known.number("slot")),
                device: UInt8(try known.number("device")),
                epoch: epoch.number,
                run: UInt32(try known.number("run")),
                iteration: chain.next
            )
            let key = chain.advance()
            #expect(try key.exposed == known.bytes("message key"))
            let padded = try Self.padded(known, overhead: Ed25519.signatureByteCount)
            let message = try Randomness.$tape.withValue(RandomTape(known.bytes("header nonce"))) {
                GroupSeal.seal(
                    padded: padded,
                    header: header,
                    epoch: epoch,
                    messageKey: key,
                    sender: sender,
                    signing: signing
                )
            }
            try Self.check(message, known)
            let seal = try #require(MessageSeal(message[...]))
            #expect(seal.openHeader(epoch.headerKey).flatMap { GroupHeader(decoding: $0) } == header)
            let opened = GroupSeal.open(
                seal,
                epoch: epoch,
                messageKey: key,
                sender: sender,
                signingKey: signing.publicKey
            )
            #expect(opened == padded)
        }
    }

    @Test("A notice is the known one")
    func notice() throws {
        let known = try #require(try VectorFile("group_message").cases.last)
        let epoch = try Self.epoch(known)
        let padded = try Self.padded(known, overhead: 0)
        let notice = try Randomness.$tape.withValue(RandomTape(known.bytes("header nonce"))) {
            MessageSeal.seal(
                padded,
                header: GroupHeader.notice(epoch: epoch.number).encoded,
                headerKey: epoch.headerKey,
                messageKey: epoch.noticeKey,
                associatedData: epoch.associatedData
            )
        }
        try Self.check(notice, known)
    }

    private static func padded(_ known: VectorCase, overhead: Int) throws -> [UInt8] {
        let items = MessageItems.encode([Array(try known.text("content").utf8)])
        return try #require(Padding.pad(items, overheadByteCount: CarrierKind.sealed.overheadByteCount + overhead))
    }

    private static func check(_ message: [UInt8], _ known: VectorCase) throws {
        #expect(try message == known.bytes("message"))
        #expect(try EnvelopeName.bytes(kindByte: 0x10, body: message) == known.bytes("envelope name"))
    }

    @Test("Welcomes with their state, and before it, are the known ones, and lead into the group")
    func welcomes() throws {
        let last = try #require(try VectorFile("group_log").cases.last)
        for known in try VectorFile("group_welcome").cases {
            let bytes = try known.bytes("welcome")
            let welcome = try GroupWelcome(decoding: SecretBytes(copying: bytes))
            #expect(welcome.encoded().exposed == bytes && welcome.remainingSeconds == 3_600)
            #expect(try welcome.foundingKey == known.bytes("founding key") && welcome.slot == known.number("slot"))
            #expect(try welcome.path.flatMap(\.exposed) == known.bytes("path"))
            #expect(try welcome.bundles.map(\.bytes) == [known.bytes("bundle")])
            let state = try known.bytes("checkpoint")
            #expect((welcome.checkpoint == nil) == (welcome.digest != nil))
            let checkpoint = try welcome.checkpoint ?? welcome.checkpoint(from: state)
            #expect(checkpoint.encoded() == state)
            let bob = try KnownPeople().bob.publicIdentity
            let session = try GroupSession.join(welcome, checkpoint: checkpoint, as: bob, at: 0).session
            #expect(try session.id.bytes == known.bytes("group") && session.log.epoch == known.number("epoch"))
            #expect(try session.log.hash == last.bytes("hash") && session.log.transfers.count == 2)
            #expect(try session.epochs.last?.headerKey.exposed == last.bytes("header key") && !session.mustWait)
            let made = GroupWelcome(
                try #require(session.checkpoint),
                slot: welcome.slot,
                path: welcome.path,
                remainingSeconds: 3_600,
                bundles: welcome.bundles,
                maximumByteCount: welcome.digest == nil ? .max : bytes.count
            )
            #expect(made?.encoded().exposed == bytes)
        }
    }
}
