import ChatHistory
import Foundation
import Testing

/// A change that an intruder with access to the disk makes to a history that no process has open.
enum Intrusion: String, CaseIterable, Sendable {
    case swap, move, relabel, delete, add, replay, contact, key
    case database, anchorGone, anchorCut, anchorOld, digests, head, oldSum

    /// The findings reported as soon as the history is opened.
    var toldAtOnce: Set<HistoryFinding.Kind> {
        switch self {
        case .swap, .move, .replay, .contact, .key: []
        case .relabel, .delete, .add: [.rowsChanged]
        case .database: [.rolledBack]
        case .anchorGone: [.anchorMissing]
        case .anchorCut: [.anchorDamaged]
        case .anchorOld: [.anchorForeign]
        case .digests, .oldSum: [.digestsChanged]
        case .head: [.digestsMissing]
        }
    }

    /// The findings reported after all rows have been read.
    var told: Set<HistoryFinding.Kind> {
        switch self {
        case .swap, .move, .relabel, .add: [.rowsChanged, .rowUnreadable]
        case .replay, .contact, .key: [.rowsChanged]
        default: toldAtOnce
        }
    }
}

/// A history on disk with two conversations, some contacts, and so many other conversations that the integrity
/// digests of the two are in rows of their own.
private final class WatchedHome {
    let folder: TemporaryFolder
    let labels =
        [conversation("ours"), conversation("theirs")]
        + (0..<HistoryLimits.recentDigestCount).map { conversation("another \($0)") }
    private let keys = TestKeys()

    init() throws {
        folder = try TemporaryFolder()
        try open { recordStore in
            for number in UInt64(1)...5 {
                for label in labels[..<2] { try recordStore.apply(.message("text \(number)", in: label, number)) }
                try write(recordStore, contact: number)
            }
            try writeOthers(recordStore)
        }
    }

    /// Writes to all conversations except the first two.
    private func writeOthers(_ recordStore: RecordStore) throws {
        for label in labels[2...] { try recordStore.apply(.message("text", in: label, 1)) }
    }

    func write(_ recordStore: RecordStore, contact number: UInt64) throws {
        var batch = RecordBatch()
        batch.put(.contacts, id: .test(number), plaintext: [UInt8(truncatingIfNeeded: number)])
        try recordStore.apply(batch)
    }

    /// Opens the history as a node does, runs `body` and closes the history again.
    @discardableResult
    func open<Value>(_ body: (RecordStore) throws -> Value) throws -> Value {
        let store = try SQLiteStore(directory: folder.history)
        let recordStore = RecordStore(store: store, keys: keys)
        let hasDigests = try recordStore.startWatching(anchor: AnchorFile(directory: folder.history))
        if !hasDigests { try recordStore.takeOver(isMissing: try store.count(.contacts, conversation: nil) > 0) }
        let value = try body(recordStore)
        try store.close()
        return value
    }

    /// Returns the findings at the opening of the history, and those after a check of all rows.
    func findings() throws -> (atOnce: Set<HistoryFinding.Kind>, inTheEnd: Set<HistoryFinding.Kind>) {
        try open { recordStore in
            let atOnce = Set(recordStore.findings.map(\.kind))
            try recordStore.check()
            return (atOnce, Set(recordStore.findings.map(\.kind)))
        }
    }

    /// Changes the rows of the store directly, without the keys.
    func rows(_ body: (SQLiteStore) throws -> [StoreChange]) throws {
        let store = try SQLiteStore(directory: folder.history)
        try store.apply(try body(store))
        try store.close()
    }

    func messages(_ store: SQLiteStore, _ index: Int = 0) throws -> [Row] {
        try store.rows(.messages, conversation: labels[index], after: nil, limit: 9)
    }

    /// Carries out an intrusion; before it the history changes, so that the copies that the intruder kept are old.
    func suffer(_ intrusion: Intrusion) throws {
        let before = try folder.files()
        var kept: [Row] = []
        try rows { store in
            kept = try store.rows(.digests, conversation: nil, after: nil, limit: 99) + messages(store)
            return []
        }
        try open { recordStore in
            try recordStore.apply(.message("text 1 anew", in: labels[0], 1))
            try recordStore.apply(.message("text 6", in: labels[0], 6))
            try writeOthers(recordStore)
        }
        try rows { store in
            let ours = try messages(store)
            switch intrusion {
            case .swap:
                return [
                    .put(ours[1].with(sealed: ours[2].sealed)), .put(ours[2].with(sealed: ours[1].sealed)),
                ]
            case .move: return [.put(ours[1].with(sequence: 40))]
            case .relabel: return [.put(ours[1].with(conversation: labels[1]))]
            case .delete: return [.delete(.messages, ours[3].id)]
            case .add: return [.put(ours[3].with(id: .test(99)))]
            case .replay: return kept.filter { $0.table == .messages && $0.sequence == 1 }.map { .put($0) }
            case .contact: return [.delete(.contacts, .test(2))]
            case .key:
                let rows = try store.rows(.keys, conversation: nil, after: nil, limit: 99)
                return rows.filter { $0.conversation == labels[0] }.map { .delete(.keys, $0.id) }
            case .digests:
                return [.deleteConversation(.digests, labels[0])]
            case .head: return [.deleteConversation(.digests, .zero)]
            case .oldSum: return kept.filter { $0.table == .digests && $0.conversation == labels[0] }.map { .put($0) }
            case .database, .anchorGone, .anchorCut, .anchorOld: return []
            }
        }
        try sufferFiles(intrusion, before)
    }

    /// Carries out the part of an intrusion that changes the files themselves.
    private func sufferFiles(_ intrusion: Intrusion, _ before: [String: [UInt8]]) throws {
        let anchor = folder.history + "/anchor"
        switch intrusion {
        case .database:
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.history) where name != "anchor" {
                try FileManager.default.removeItem(atPath: folder.history + "/" + name)
            }
            for (name, bytes) in before where name != "anchor" {
                try folder.write(bytes, to: folder.history + "/" + name)
            }
        case .anchorGone: try FileManager.default.removeItem(atPath: anchor)
        case .anchorCut: try folder.write(Array(try folder.read(anchor).dropLast()), to: anchor)
        case .anchorOld:
            let old = try #require(before["anchor"])
            try open { recordStore in for number in UInt64(0)...260 { try write(recordStore, contact: number) } }
            try folder.write(old, to: anchor)
        default: break
        }
    }
}

@Suite("Watching rows")
struct WatchingTests {
    @Test("What something else has changed is told, on the disk as it is", arguments: Intrusion.allCases)
    func intrusions(intrusion: Intrusion) throws {
        let home = try WatchedHome()
        try home.suffer(intrusion)
        let (atOnce, inTheEnd) = try home.findings()
        #expect(inTheEnd == intrusion.told)
        #expect(atOnce == intrusion.toldAtOnce)
        // The history reports the finding again, despite later writes, until the user accepts it.
        try home.open { recordStore in
            try recordStore.check()
            try home.write(recordStore, contact: 7)
        }
        #expect(try home.findings().atOnce == intrusion.told)
        let deleted = try home.open { try $0.accept() }
        #expect(deleted == (intrusion == .swap ? 2 : [.move, .relabel, .add].contains(intrusion) ? 1 : 0))
        let (after, whole) = try home.findings()
        #expect(after.isEmpty && whole.isEmpty)
    }

    @Test("Rows that are read show what became of them without being looked through")
    func reading() throws {
        for intrusion in [Intrusion.contact, .replay, .swap] {
            let home = try WatchedHome()
            try home.suffer(intrusion)
            try home.open { recordStore in
                _ = try? recordStore.all(.contacts)
                _ = try? recordStore.page(.messages, conversation: home.labels[0], limit: 50)
                #expect(Set(recordStore.findings.map(\.kind)) == intrusion.told, "\(intrusion)")
            }
        }
    }

    @Test("A history that nobody else has touched is never suspected", arguments: [1, 2, 3] as [UInt64])
    func clean(seed: UInt64) throws {
        var random = TestRandom(seed: seed)
        let home = try WatchedHome()
        for _ in 0..<6 {
            try home.open { recordStore in
                #expect(recordStore.findings == [])
                for _ in 0..<30 {
                    var batch = RecordBatch()
                    for _ in 0...Int.random(in: 0..<6, using: &random) {
                        let number = UInt64.random(in: 0..<12, using: &random)
                        let label = try #require(home.labels.randomElement(using: &random))
                        let table: RecordTable = Bool.random(using: &random) ? .messages : .outbox
                        switch Int.random(in: 0..<4, using: &random) {
                        case 0: batch.delete(table, id: .test(number))
                        default:
                            batch.put(table, id: .test(number), conversation: label, sequence: number, plaintext: [1])
                        }
                    }
                    try recordStore.apply(batch)
                    if Int.random(in: 0..<20, using: &random) == 0 {
                        try recordStore.deleteConversation(home.labels[0])
                    }
                }
            }
            let (atOnce, inTheEnd) = try home.findings()
            #expect(atOnce.isEmpty && inTheEnd.isEmpty)
        }
    }

    @Test(
        "A crash or a power failure before the anchor is none of anybody's doing, up to the limit",
        arguments: [(1, []), (HistoryLimits.anchorSlack + 1, []), (HistoryLimits.anchorSlack + 2, [.anchorForeign])]
            as [(UInt64, Set<HistoryFinding.Kind>)]
    )
    func crash(batches: UInt64, told: Set<HistoryFinding.Kind>) throws {
        let home = try WatchedHome()
        let path = home.folder.history + "/anchor"
        let old = try home.folder.read(path)
        try home.open { recordStore in for number in 0..<batches { try home.write(recordStore, contact: number) } }
        try home.folder.write(old, to: path)
        let (atOnce, inTheEnd) = try home.findings()
        #expect(atOnce == told && inTheEnd == told)
    }

    @Test("A deletion that was cut off is none either")
    func interruptedDeletion() throws {
        let store = MemoryStore()
        let failing = FailingStore(base: store, applies: .max)
        let recordStore = RecordStore(store: failing, keys: TestKeys())
        try recordStore.takeOver(isMissing: false)
        let label = conversation("ours")
        for number in UInt64(1)...3 { try recordStore.apply(.message("\(number)", in: label, number)) }
        failing.allow(1)
        #expect(throws: StoreError(.ioFailed)) { try recordStore.deleteConversation(label) }
        let again = RecordStore(store: store, keys: TestKeys())
        #expect(try again.startWatching())
        try again.check()
        #expect(again.findings == [])
        try again.deleteConversation(label)
        try again.check()
        #expect(again.findings == [])
    }

    @Test("A history without sums is taken over once, as it is")
    func takenOver() throws {
        let store = MemoryStore()
        let old = RecordStore(store: store, keys: TestKeys())
        for number in UInt64(1)...3 { try old.apply(.message("\(number)", in: conversation("ours"), number)) }
        let recordStore = RecordStore(store: store, keys: TestKeys())
        #expect(try !recordStore.startWatching())
        try recordStore.takeOver(isMissing: false)
        #expect(try recordStore.check() == 4)
        #expect(recordStore.findings == [])
        try store.apply([
            .delete(
                .messages,
                try #require(try store.rows(.messages, conversation: nil, after: nil, limit: 1).first).id
            )
        ])
        let next = RecordStore(store: store, keys: TestKeys())
        #expect(try next.startWatching())
        let finding = try #require(next.findings.first)
        #expect((finding.kind, finding.expected, finding.found) == (.rowsChanged, 3, 2))
        #expect(finding.conversation == conversation("ours") && finding.table == .messages)
    }

    @Test("Where sums cannot be written anew the anchor stays as it was", arguments: [true, false])
    func refusedTakeOver(hasAnchor: Bool) throws {
        let folder = try TemporaryFolder()
        let (path, base) = (folder.path + "/anchor", MemoryStore())
        let writer = RecordStore(store: base, keys: TestKeys())
        if hasAnchor {
            #expect(try !writer.startWatching(anchor: AnchorFile(directory: folder.path)))
            try writer.takeOver(isMissing: false)
        }
        try writer.apply(.message("text", in: conversation("ours"), 1))
        try base.apply([.deleteConversation(.digests, .zero)])
        let before = try? folder.read(path)
        let store = FailingStore(base: base, applies: 0)
        let recordStore = RecordStore(store: store, keys: TestKeys())
        #expect(try !recordStore.startWatching(anchor: AnchorFile(directory: folder.path)))
        #expect(throws: StoreError(.ioFailed)) { try recordStore.takeOver(isMissing: true) }
        #expect((try? folder.read(path)) == before && (before != nil) == hasAnchor)
        store.allow(9)
        try recordStore.takeOver(isMissing: true)
        #expect(recordStore.findings.map(\.kind) == [.digestsMissing])
    }

    @Test("Without an anchor that could be written at a start no second batch is")
    func stuckAnchor() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/anchor"
        let store = MemoryStore()
        let first = RecordStore(store: store, keys: TestKeys())
        #expect(try !first.startWatching(anchor: AnchorFile(directory: folder.path)))
        try first.takeOver(isMissing: false)
        let recordStore = RecordStore(store: store, keys: TestKeys())
        #expect(try recordStore.startWatching(anchor: AnchorFile(directory: folder.path)))
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        var batch = RecordBatch()
        batch.put(.outbox, id: .test(1), plaintext: [])
        try recordStore.apply(batch)
        #expect(throws: StoreError(.cannotOpen)) { try recordStore.apply(batch) }
        try FileManager.default.removeItem(atPath: path)
        try recordStore.apply(batch)
        #expect(try folder.read(path).count == 89)
    }

    @Test("Signs of tampering are kept up to their limit, each once")
    func manySigns() throws {
        let store = MemoryStore()
        let recordStore = RecordStore(store: store, keys: TestKeys())
        try recordStore.takeOver(isMissing: false)
        let labels = (0..<HistoryLimits.findingCount + 3).map { conversation("\($0)") }
        for label in labels { try recordStore.apply(.message("text", in: label, 1)) }
        try store.apply(labels.map { .deleteConversation(.messages, $0) })
        try recordStore.check()
        try recordStore.check()
        #expect(recordStore.findings.count == HistoryLimits.findingCount)
        try recordStore.apply(.message("text", in: conversation("another"), 1))
        let again = RecordStore(store: store, keys: TestKeys())
        #expect(try again.startWatching())
        #expect(again.findings == recordStore.findings)
    }
}
