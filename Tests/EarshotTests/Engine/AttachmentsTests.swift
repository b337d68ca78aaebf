import ChatCrypto
import MeshCore
import Testing

@testable import ChatCore

@Suite("Attachments")
struct AttachmentsTests {
    /// The peers that send files.
    ///
    /// Requests can reach all of them except `silent`.
    private struct Sources: AttachmentSources {
        var time = ChatTime(wall: 1_000, monotonic: .zero)
        var silent: PeerID?
        /// A peer in another mesh.
        var far: PeerID?
        var isLarge = false

        func wantsFiles(of peer: PeerID, in group: GroupID?) -> Bool { true }
        func groupMembers(in group: GroupID) -> [PeerID] { [3, 2, 1].map(Numbered.peer) }
        func spreadsToAll(_ group: GroupID) -> Bool { isLarge }
        func isReachable(_ peer: PeerID) -> Bool { peer != far }
        func mayOpenPath(to peer: PeerID) -> Bool { peer != silent }
        func attesters(of message: MessageID) -> [PeerID] { [2, 9].map(Numbered.peer) }
    }

    /// A store that has files and nothing else.
    private struct Folder: Snapshot {
        var files: [String: [UInt8]] = [:]

        func row(_ table: Table, _ name: [UInt8]) -> StoredRow? { nil }
        func rows(_ table: Table) -> [[UInt8]] { [] }
        func messages(of conversation: ConversationID, before position: UInt64?, limit: Int) -> [StoredRow] { [] }
        func messages(of conversation: ConversationID, from position: UInt64, limit: Int) -> [StoredRow] { [] }
        func highestPosition(of conversation: ConversationID) -> UInt64 { 0 }
        func messageCount(of conversation: ConversationID, before position: UInt64?) -> Int { 0 }
        func prefix(ofBlob file: String, count: Int) -> [UInt8] { Array((files[file] ?? []).prefix(count)) }
    }

    private static let message = Numbered.message(7)
    private static let id = BlobID(message: message, index: 0)
    /// The sealed bytes of a blob of 30,000 bytes: two fragments.
    private static let sealed = (0..<30_016).map { UInt8(truncatingIfNeeded: $0 &* 7) }

    /// Returns the record of a message with the blob.
    private static func record(in conversation: ConversationID) throws -> ProtoMessageRecord {
        var hashes = BlobHashes(byteCount: 30_000, hashing: BlobSeals())
        hashes.add(sealed[...])
        let reference = try #require(hashes.reference)
        let key = [UInt8](repeating: 1, count: 32)
        let file = FileReference(name: "a.bin", type: "a/b", reference: reference, key: key)
        let body = MessageContent.Body.text(MessageContent.Text("", files: [file]))
        var record = ProtoMessageRecord()
        record.id = .init(message.bytes)
        record.conversation = .init(conversation.bytes)
        record.content = .init(MessageContent.message(.init(body, sentAt: 1, order: 1), salt: key))
        return record
    }

    /// Returns the names of effects, in order.
    private static func names(_ effects: [AttachmentEffect]) -> [String] {
        effects.map { String(describing: $0).prefix { $0 != "(" }.description }
    }

    @Test("The last piece completes an object before it is in its file, and a wrong one has all of them come again")
    func fragments() throws {
        let sources = Sources()
        let peer = Numbered.peer(1)
        for isRight in [true, false] {
            var (attachments, folder) = (Attachments(), Folder())
            attachments.expect(try Self.record(in: .direct(peer)), from: peer, among: sources)
            #expect(Self.names(attachments.takeEffects()) == ["put", "waits", "recall", "fetchPieces"])
            let entry = try #require(attachments.blobs[Self.id])
            func receive(_ index: Int, flipping place: Int? = nil) -> [AttachmentEffect] {
                var bytes = Self.sealed
                if let place { bytes[place] ^= 1 }
                let fragment = ChunkFragment(index, of: entry.reference) { offset, count in
                    Array(bytes[Int(offset)..<(Int(offset) + count)])
                }
                attachments.receive(fragment?.body ?? [], isFar: false, among: sources, in: folder)
                return attachments.takeEffects()
            }
            #expect(Self.names(receive(0)) == ["write", "put", "progress"])
            #expect(receive(0).isEmpty)
            folder.files[entry.file] = Array(Self.sealed.prefix(ChunkFragment.byteCount))
            let effects = receive(1, flipping: isRight ? nil : 30_000)
            if isRight {
                #expect(Self.names(effects) == ["write", "put", "arrived", "endFetch", "progress", "completed"])
                #expect(attachments.blobs[Self.id]?.isComplete == true)
            } else {
                #expect(Self.names(effects) == ["write", "put", "progress"])
                #expect(attachments.blobs[Self.id]?.fragments?.count == 0)
            }
        }
    }

    @Test("In a group, pieces that come late count if they come from afar and their author is not near")
    func overdueFromAfar() throws {
        let group = try #require(GroupID(bytes: [UInt8](repeating: 9, count: 16)))
        for isAuthorFar in [true, false] {
            var sources = Sources()
            var attachments = Attachments()
            let folder = Folder()
            attachments.expect(try Self.record(in: .group(group)), from: Numbered.peer(1), among: sources)
            sources.time = ChatTime(wall: sources.time.wall + ChatLimits.fragmentPatience + 1, monotonic: .zero)
            attachments.fetchOverdue(among: sources)
            let entry = try #require(attachments.blobs[Self.id])
            #expect(entry.isOverdue)
            _ = attachments.takeEffects()
            if isAuthorFar { sources.far = Numbered.peer(1) }
            let piece = ChunkFragment(0, of: entry.reference) { offset, count in
                Array(Self.sealed[Int(offset)..<(Int(offset) + count)])
            }
            attachments.receive(piece?.body ?? [], isFar: false, among: sources, in: folder)
            #expect(attachments.takeEffects().isEmpty)
            attachments.receive(piece?.body ?? [], isFar: true, among: sources, in: folder)
            #expect(attachments.takeEffects().isEmpty != isAuthorFar)
        }
    }

    @Test("Missing pieces are fetched at once, but not those of large groups, and again after ever longer times")
    func fetches() throws {
        let group = try #require(GroupID(bytes: [UInt8](repeating: 9, count: 16)))
        for isLarge in [false, true] {
            var sources = Sources(isLarge: isLarge)
            var attachments = Attachments()
            let record = try Self.record(in: .group(group))
            attachments.expect(record, from: Numbered.peer(1), among: sources)
            #expect(Self.names(attachments.takeEffects()).contains("fetchPieces") != isLarge)
            var seconds: [UInt64] = []
            for second in 1..<20_000 as Range<UInt64> {
                sources.time = ChatTime(wall: 1_000 + second * 1_000, monotonic: .zero)
                attachments.fetchPiecesAgain(among: sources)
                if Self.names(attachments.takeEffects()) == ["fetchPieces"] { seconds.append(second) }
            }
            #expect(seconds == [30, 60, 120, 240, 480, 960, 1_920, 3_840, 7_440, 11_040, 14_640, 18_240])
        }
    }

    @Test("What there is no room for completes its message, and is asked of those who vouch for it once there is some")
    func holders() throws {
        let group = try #require(GroupID(bytes: [UInt8](repeating: 9, count: 16)))
        let sources = Sources(silent: Numbered.peer(1))
        var attachments = Attachments()
        attachments.join(MediaQuota(limit: 29_999).share())
        attachments.expect(try Self.record(in: .group(group)), from: Numbered.peer(1), among: sources)
        #expect(Self.names(attachments.takeEffects()) == ["put", "missed", "completed"])
        for entry in attachments.takeParked() { attachments.unpark(entry, among: sources) }
        #expect(attachments.takeEffects().isEmpty)
        attachments.join(MediaQuota(limit: 30_000).share())
        for entry in attachments.takeParked() { attachments.unpark(entry, among: sources) }
        let effects = attachments.takeEffects()
        #expect(Self.names(effects) == ["put", "transfer"])
        guard case .transfer(.fetch(let order)) = effects.last else {
            Issue.record("nothing is fetched")
            return
        }
        #expect(order.peer == Numbered.peer(2) && order.others == [Numbered.peer(3)])
        attachments.miss(Self.id)
        #expect(Self.names(attachments.takeEffects()) == ["drop", "missed"] && attachments.blobs.count == 0)
    }
}
