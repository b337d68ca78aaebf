import ChatCrypto
import ChatHistory
import Earshot
import Foundation
import MeshCore
import Testing

@testable import ChatCore

/// The files of a data directory before it is damaged, its contents, and the pages on which each message lies.
struct DamagedHome {
    /// The conversation and the text that a message must have wherever it is shown.
    struct Known: Equatable {
        let conversation: ConversationID
        let text: String
    }

    /// The part of a file that holds one page of the database.
    struct Place: Hashable {
        let file: String
        let offset: Int
    }

    static let database = "history.sqlite"
    static let log = "history.sqlite-wal"
    static let pageByteCount = 4_096

    let files: [String: Data]
    let messages: [MessageID: Known]
    /// The pages that hold the row of each message and the key of its conversation.
    let places: [MessageID: Set<Place>]
    let fileBytes: [UInt8]

    /// Takes the files of a data directory in their present state.
    init(_ home: TestHome, _ messages: [Message], file: [UInt8]) throws {
        files = try home.files()
        fileBytes = file
        self.messages = Dictionary(
            uniqueKeysWithValues: messages.map { message in
                (message.id, Known(conversation: message.conversation, text: message.text))
            }
        )
        let copy = try TestHome(copying: files)
        let store = try SQLiteStore(directory: copy.directory.path)
        let key = try MasterKey(keyFile: SecretBytes(copying: [UInt8](try #require(files["key.bin"]))))
        let seals = RecordSeals(masterKey: key, databaseID: store.databaseID)
        // The log has the newest pages.
        let taken = files
        let searched = [Self.log, Self.database].compactMap { name in taken[name].map { (name, $0) } }
        var places: [MessageID: Set<Place>] = [:]
        var keys: [RowID: Set<Place>] = [:]
        for row in try store.rows(.keys, conversation: nil, after: nil, limit: 1_000) {
            let found: Set<Place> = try #require(Self.places(of: row.sealed, searched))
            keys[row.conversation] = found
        }
        for message in messages {
            let id = seals.rowID(.messages, name: message.id.bytes)
            let row = try #require(try store.row(.messages, id))
            let own = try #require(Self.places(of: row.sealed, searched))
            places[message.id] = own.union(try #require(keys[row.conversation]))
        }
        self.places = places
        try store.close()
    }

    /// Returns the pages that hold these bytes, which may continue from page to page; nil unless all bytes are found.
    private static func places(of bytes: [UInt8], _ files: [(String, Data)]) -> Set<Place>? {
        var rest = Data(bytes)[...]
        var places: Set<Place> = []
        while !rest.isEmpty {
            let fragment = rest.prefix(16)
            var found: (Place, Int)?
            for (name, data) in files where found == nil {
                // The last match counts, because older frames of a log contain the page too.
                guard let range = data.range(of: fragment, options: .backwards) else { continue }
                let start = name == log ? 32 + 24 : 0
                let step = name == log ? pageByteCount + 24 : pageByteCount
                guard range.lowerBound >= start else { continue }
                let offset = start + (range.lowerBound - start) / step * step
                let count = zip(data[range.lowerBound..<min(offset + pageByteCount, data.endIndex)], rest)
                    .prefix { $0 == $1 }.count
                found = (Place(file: name, offset: offset), count)
            }
            guard let (place, count) = found else { return nil }
            places.insert(place)
            rest = rest.dropFirst(count)
        }
        return places
    }
}

/// One damage to the files of a data directory, the same for the same seed.
struct Blow: CustomStringConvertible {
    private(set) var touched: Set<DamagedHome.Place> = []
    private(set) var files: [String: Data]
    private(set) var description: String

    /// Damages the database or its log.
    init(seed: UInt64, _ home: DamagedHome) {
        var random = SplitMix64(seed: seed &* 0x9E37_79B9)
        files = home.files
        let hasLog = files[DamagedHome.log].map { $0.count > 0 } ?? false
        let name = hasLog && Bool.random(using: &random) ? DamagedHome.log : DamagedHome.database
        var data = files[name] ?? Data()
        let (start, step) =
            name == DamagedHome.log ? (56, DamagedHome.pageByteCount + 24) : (0, DamagedHome.pageByteCount)
        let count = (data.count - start + step - 1) / step
        func place(_ page: Int) -> Int { start + page * step }
        func bytes(_ page: Int) -> Range<Int> { place(page)..<min(place(page) + DamagedHome.pageByteCount, data.count) }
        let page = Int.random(in: 0..<count, using: &random)
        var pages = [page]
        switch Int.random(in: 0..<6, using: &random) {
        case 0, 1:
            let flips = Int.random(in: 1...300, using: &random)
            for _ in 0..<flips {
                data[Int.random(in: bytes(page), using: &random)] = UInt8.random(in: .min ... .max, using: &random)
            }
            description = "\(flips) bytes of page \(page) of \(name)"
        case 2:
            data.replaceSubrange(bytes(page), with: Data(count: bytes(page).count))
            description = "page \(page) of \(name) zeroed"
        case 3:
            let other = Int.random(in: 0..<count, using: &random)
            let (one, two) = (data[bytes(page)], data[bytes(other)])
            if one.count == two.count {
                data.replaceSubrange(bytes(page), with: Data(two))
                data.replaceSubrange(bytes(other), with: Data(one))
            }
            pages = [page, other]
            description = "pages \(page) and \(other) of \(name) exchanged"
        case 4:
            let end = place(page) + Int.random(in: 0..<step, using: &random)
            data = Data(data.prefix(end))
            pages = Array(page..<count)
            description = "\(name) cut to \(end) bytes"
        default:
            pages = (0..<Int.random(in: 1...6, using: &random)).map { _ in Int.random(in: 0..<count, using: &random) }
            for page in pages {
                data[Int.random(in: bytes(page), using: &random)] ^= 1 << UInt8.random(in: 0...7, using: &random)
            }
            description = "a bit of each of the pages \(pages) of \(name)"
        }
        description = "\(seed): " + description
        touched = Set(pages.map { DamagedHome.Place(file: name, offset: place($0)) })
        files[name] = data
    }
}

extension TestHome {
    /// Makes a data directory of these files.
    ///
    /// Only its owner can read it.
    convenience init(copying files: [String: Data]) throws {
        try self.init()
        try FileManager.default.createDirectory(
            at: directory,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        for (name, data) in files {
            try FileManager.default.createDirectory(
                at: file(name).deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try data.write(to: file(name))
            try setMode(0o600, of: file(name))
        }
    }

    /// Makes a data directory with two people, a group, a file, and texts that take several pages.
    ///
    /// - Parameter isOpen: Whether the files are taken while the node runs, with a log beside the database.
    static func talkative(isOpen: Bool, texts: Int = 40) async throws -> DamagedHome {
        let home = try TestHome()
        let mesh = MeshOptions.loopback([MeshOptions.randomGroup()])
        let alice = try await LiveNode("Alice", mesh, home: .directory(home.directory))
        let bob = try await LiveNode("Bob", mesh)
        let bytes = FileScene.bytes(40_000)
        let scene = try FileScene()
        var messages: [Message] = []
        var taken: DamagedHome?
        try await withRunning(alice, bob) {
            let bobID = try await alice.meets("Bob")
            let aliceID = try await bob.meets("Alice")
            try await bob.node.contacts.decide(.accept, about: aliceID)
            let group = try await alice.node.conversations.createGroup(title: "Trees", members: [bobID]).id
            try await bob.happens(.joined, in: group)
            for number in 1...texts {
                // Every fifth text does not fit one page.
                let text = "leaf \(number) " + String(repeating: "x", count: number.isMultiple(of: 5) ? 9_000 : 40)
                try await alice.node.conversation(.direct(bobID)).send(text)
                if number.isMultiple(of: 2) { try await alice.node.conversation(.group(group)).send("oak \(number)") }
            }
            try await bob.node.conversation(.direct(aliceID)).send("an answer")
            _ = try await alice.receives()
            try await alice.node.conversation(.direct(bobID)).send(
                "see",
                files: [FileDraft(try scene.file("a.bin", bytes))]
            )
            for conversation in [ConversationID.direct(bobID), .group(group)] {
                messages += try await alice.node.conversation(conversation).history(limit: 1_000)
            }
            if isOpen {
                // The data directory must not change while the files are taken.
                await bob.node.stop()
                try await alice.node.conversation(.direct(bobID)).setDraft("rest")
                taken = try DamagedHome(home, messages, file: bytes)
            }
        }
        return try taken ?? DamagedHome(home, messages, file: bytes)
    }
}
