#if os(Linux)
    import ChatCrypto
    import Foundation
    import Synchronization

    @testable import Earshot

    /// An operation on a data directory in a process of its own, which runs until it is done or killed.
    struct Trial: Codable, Sendable {
        /// The point at which a process is killed: a thread begins its n-th call of this name.
        struct Stop: Codable, Hashable, Sendable {
            let call: String
            let number: Int
        }

        let activity: Activity
        /// The folder that contains the data directory, and beside it the reports of the process.
        let folder: String
        let people: TrialPeople
        /// The point at which the process is killed; nil to record all of its calls.
        let stop: Stop?

        var home: URL { URL(filePath: folder).appending(path: "home") }
        /// The path of the reports of the process, one per line.
        var tellings: String { folder + "/told" }
        /// The path of the recorded system calls of the process.
        var record: String { folder + ".calls" }

        /// The operation that the data directory has to survive, or that has to be finished.
        enum Activity: String, Codable, CaseIterable, Sendable {
            case writing
            case clearing
            case making
            case migrating
            case settingPassphrase
            case changingPassphrase
            case removingPassphrase
            case erasingClosed
            case erasingOpen
        }

        static let oldPassphrase = "old horse"
        static let newPassphrase = "new horse"

        /// Runs the whole operation in a process of its own.
        ///
        /// The process kills itself at the end.
        func run() async throws {
            let tracer = try stop.map(SystemCallTracer.init(killingAt:)) ?? SystemCallTracer(recordingTo: record)
            let teller = try Teller(tellings)
            switch activity {
            case .writing: try await write(teller)
            case .clearing: try await clear(teller)
            case .making: try await make(teller)
            case .migrating: try await migrate(teller)
            case .settingPassphrase: try change(from: .keyFile, to: .passphrase(Self.newPassphrase), teller)
            case .changingPassphrase:
                try change(from: .passphrase(Self.oldPassphrase), to: .passphrase(Self.newPassphrase), teller)
            case .removingPassphrase: try change(from: .passphrase(Self.oldPassphrase), to: .keyFile, teller)
            case .erasingClosed:
                try ChatNode.destroy(home)
                teller.notify("erased")
            case .erasingOpen:
                try await open().destroy()
                teller.notify("erased")
            }
            teller.notify("done")
            withExtendedLifetime(tracer) { _ = kill(getpid(), SIGKILL) }
        }

        private func open(name: String? = nil) async throws -> ChatNode {
            try await ChatNode.open(.directory(home), orCreate: name)
        }

        /// Writes to an offline contact and to a group, and receives messages of an unknown peer.
        private func write(_ teller: Teller) async throws {
            let mesh = MeshOptions.loopback([MeshOptions.randomGroup()])
            let alice = try await LiveNode("Alice", mesh, home: .directory(home))
            let carol = try await LiveNode("Carol", mesh)
            let (bob, kept) = try (people.bob, people.kept)
            let file = URL(filePath: folder + ".file")
            try Data(repeating: 7, count: 20_000).write(to: file)
            let count = 8
            try await withRunning(alice, carol) {
                let id = try await carol.meets("Alice")
                async let shown: Void = {
                    for _ in 0..<count { teller.notify("shown: " + (try await alice.receives().text)) }
                }()
                for number in 0..<count {
                    try await carol.node.conversation(.direct(id)).send("from Carol \(number)")
                    let files = number % 4 == 3 ? [FileDraft(file)] : []
                    try await alice.node.conversation(.direct(bob)).send("to Bob \(number)", files: files)
                    teller.notify("sent: to Bob \(number)")
                    try await alice.node.conversation(.group(kept)).send("to all \(number)")
                    teller.notify("sent: to all \(number)")
                }
                try await shown
            }
        }

        /// Fills conversations and empties them again, each in another way, beside one that stays.
        private func clear(_ teller: Teller) async throws {
            let node = try await open()
            for round in 0..<3 {
                let gone = try await node.conversations.createGroup(title: "Gone \(round)", members: [people.bob]).id
                var messages: [MessageID] = []
                for number in 0..<4 {
                    messages.append(try await node.conversation(.group(gone)).send("gone \(round) \(number)").id)
                }
                teller.notify("clearing: \(round)")
                switch round {
                case 0: try await node.conversation(.group(gone)).erase()
                case 1: try await node.conversation(.group(gone)).deleteHistory()
                default:
                    for message in messages {
                        try await node.conversations.holding(message).delete(message, forEveryone: false)
                    }
                }
                teller.notify("cleared: \(round)")
                try await node.conversation(.group(people.kept)).send("kept \(round)")
                teller.notify("sent: kept \(round)")
            }
            await node.stop()
        }

        private func make(_ teller: Teller) async throws {
            let node = try await open(name: "Alice")
            teller.notify("made: \(await node.status.id)")
            try await node.conversations.createGroup(title: "First")
            teller.notify("sent: First")
            try await node.rooms.create(RoomPlan(title: "Attic"))
            teller.notify("sent: Attic")
            await node.stop()
        }

        private func migrate(_ teller: Teller) async throws {
            let node = try await open()
            try await node.conversation(.group(people.kept)).send("after")
            teller.notify("sent: after")
            await node.stop()
        }

        private func change(from old: Home.Key, to new: Home.Key, _ teller: Teller) throws {
            let home = try NodeHome(home)
            try home.changeKey(from: old, to: new, cost: .small)
            teller.notify("changed")
            home.close()
        }
    }

    /// The peers and groups in the data directories of trials.
    struct TrialPeople: Codable, Sendable {
        fileprivate let bobBytes: [UInt8]
        fileprivate let keptBytes: [UInt8]

        init(bob: PeerID, kept: GroupID) {
            (bobBytes, keptBytes) = (bob.bytes, kept.bytes)
        }

        struct Unknown: Error {}

        /// A contact.
        var bob: PeerID {
            get throws {
                guard let bob = PeerID(bytes: bobBytes) else { throw Unknown() }
                return bob
            }
        }

        /// A group that stays.
        var kept: GroupID {
            get throws {
                guard let kept = GroupID(bytes: keptBytes) else { throw Unknown() }
                return kept
            }
        }
    }

    /// A log of the completed operations of a process.
    ///
    /// One system call writes each line, so no line is incomplete.
    final class Teller: Sendable {
        private let descriptor: Int32
        private let byteCount = Mutex<off_t>(0)

        init(_ path: String) throws {
            descriptor = Foundation.open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
        }

        deinit { close(descriptor) }

        func notify(_ line: String) {
            let bytes = Array((line + "\n").utf8)
            byteCount.withLock { $0 += off_t(pwrite(descriptor, bytes, bytes.count, $0)) }
        }
    }
#endif
