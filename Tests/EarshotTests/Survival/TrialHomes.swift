#if os(Linux)
    import ChatCrypto
    import ChatHistory
    import Foundation
    import MeshCore
    import Testing

    @testable import Earshot

    /// The data directories with which trials begin, and their required contents afterwards.
    final class TrialHomes {
        let people: TrialPeople
        /// The texts and conversation names in a data directory before a trial.
        private let texts: Set<String>
        private let folder: URL
        private var trialCount = 0

        init() async throws {
            folder = FileManager.default.temporaryDirectory.appending(path: "earshot-trials-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let whole = folder.appending(path: "whole")
            people = try await Self.fill(whole, file: folder.appending(path: "file.txt"))
            texts = try await Self.read(into: whole).texts
            #expect(texts.isSuperset(of: ["from Bob", "to Bob", "kept", "in the room"]))

            let vaulted = try NodeHome(try copy(whole, to: "vaulted"))
            try vaulted.changeKey(from: .keyFile, to: .passphrase(Trial.oldPassphrase), cost: .small)
            vaulted.close()
            try Self.makeOld(try copy(whole, to: "old"))
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        private func copy(_ home: URL, to name: String) throws -> URL {
            let copy = folder.appending(path: name)
            try FileManager.default.copyItem(at: home, to: copy)
            return copy
        }

        /// Makes a data directory with everything that can be in one.
        private static func fill(_ home: URL, file: URL) async throws -> TrialPeople {
            let mesh = MeshOptions.loopback([MeshOptions.randomGroup()])
            let alice = try await LiveNode("Alice", mesh, home: .directory(home))
            let bob = try await LiveNode("Bob", mesh)
            var people: TrialPeople?
            try await withRunning(alice, bob) {
                let (bobID, aliceID) = (try await alice.meets("Bob"), try await bob.meets("Alice"))
                try await bob.node.conversation(.direct(aliceID)).send("from Bob")
                #expect(try await alice.receives().text == "from Bob")
                try await alice.node.contacts.decide(.accept, about: bobID)
                try await bob.node.contacts.decide(.accept, about: aliceID)
                try Data("plain".utf8).write(to: file)
                let sent = try await alice.node.conversation(.direct(bobID)).send("to Bob", files: [FileDraft(file)])
                _ = try await alice.statuses(of: sent)
                let kept = try await alice.node.conversations.createGroup(title: "Kept", members: [bobID]).id
                try await alice.node.conversation(.group(kept)).send("kept")
                let room = try await alice.node.rooms.create(RoomPlan(title: "Room"))
                try await bob.node.rooms.join(try #require(JoinCredential(room.admissionState?.code ?? "")))
                try await alice.node.conversation(.room(room.id)).send("in the room")
                _ = try await alice.node.conversations.holding(sent.id).saveFile(sent.id)
                people = TrialPeople(bob: bobID, kept: kept)
            }
            return try #require(people)
        }

        /// Turns a data directory into an earlier one, without integrity digests and a rollback anchor.
        private static func makeOld(_ directory: URL) throws {
            let home = try NodeHome(directory)
            let key = try home.openKey(.keyFile)
            let store = try SQLiteStore(directory: directory.path)
            let seals = RecordSeals(masterKey: key, databaseID: store.databaseID)
            let blobs = BlobFolder(directory.appending(path: "blobs"))
            let recordStore = RecordStore(store: store, keys: seals)
            let step = ChatStep(
                recordStore: recordStore,
                blobs: blobs,
                time: ChatTime(wall: 1, monotonic: .zero)
            )
            var engine = try #require(try ChatEngine(restoring: seals.secrets, of: nil, in: step))
            engine.setWatched(false)
            engine.putNodeRecord()
            try engine.takeStep().apply(to: recordStore, blobs)
            let sums = try store.rows(.digests, conversation: nil, after: nil, limit: 100)
            #expect(!sums.isEmpty)
            try store.apply(sums.map { .delete(.digests, $0.id) })
            try store.close()
            home.close()
            try FileManager.default.removeItem(at: directory.appending(path: "anchor"))
        }

        // MARK: - Trials

        /// Makes a trial on a fresh copy of the data directory that it needs.
        func makeTrial(_ activity: Trial.Activity, _ stop: Trial.Stop?) throws -> Trial {
            trialCount += 1
            let place = folder.appending(path: "trial\(trialCount)")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            let trial = Trial(activity: activity, folder: place.path, people: people, stop: stop)
            try Data().write(to: URL(filePath: trial.tellings))
            let source: String? =
                switch activity {
                case .making: nil
                case .migrating: "old"
                case .changingPassphrase, .removingPassphrase: "vaulted"
                case .writing, .clearing, .settingPassphrase, .erasingClosed, .erasingOpen: "whole"
                }
            if let source { try FileManager.default.copyItem(at: folder.appending(path: source), to: trial.home) }
            return trial
        }

        /// Runs a trial in a process of its own, to its end.
        func run(_ trial: Trial) async {
            await #expect(processExitsWith: .signal(SIGKILL)) { [trial = trial as Trial] in try await trial.run() }
        }

        /// Removes the files that a trial has left.
        func remove(_ trial: Trial) {
            for path in [trial.folder, trial.record, trial.folder + ".file"] {
                try? FileManager.default.removeItem(atPath: path)
            }
        }

        // MARK: - Checks

        /// Checks that a data directory contains everything that was reported as done, that a required operation is
        /// finished, and that there is no sign of a foreign change.
        ///
        /// - Parameter place: The point at which the trial was cut off, for the reader of a failure.
        func check(
            _ home: URL,
            after activity: Trial.Activity,
            _ told: [String],
            _ place: Comment
        ) async throws {
            switch activity {
            case .writing, .clearing, .migrating:
                check(try await Self.read(into: home), told, place)
            case .making:
                let id = told.first.map { $0.dropFirst("made: ".count) }
                let found = try await Self.read(into: home, name: id == nil ? "Alice" : nil)
                #expect(id == nil || "\(found.id)" == id ?? "", place)
                #expect(found.texts.isSuperset(of: Self.sent(told)), place)
                #expect(found.signs == [], place)
            case .settingPassphrase:
                try await checkKey(home, before: nil, after: Trial.newPassphrase, told, place)
            case .changingPassphrase:
                try await checkKey(home, before: Trial.oldPassphrase, after: Trial.newPassphrase, told, place)
            case .removingPassphrase:
                try await checkKey(home, before: Trial.oldPassphrase, after: nil, told, place)
            case .erasingClosed, .erasingOpen:
                try await checkErased(home, told, place)
            }
        }

        private static func sent(_ told: [String]) -> [String] {
            told.compactMap { line in
                ["sent: ", "shown: "].first { line.hasPrefix($0) }.map { String(line.dropFirst($0.count)) }
            }
        }

        private func check(_ found: Findings, _ told: [String], _ place: Comment) {
            #expect(found.texts.isSuperset(of: texts), place)
            #expect(found.texts.isSuperset(of: Self.sent(told)), place)
            #expect(found.signs == [], place)
            // The messages to the offline contact stay in the outbox.
            #expect(found.outboxCount >= told.count { $0.hasPrefix("sent: to Bob") }, place)
            for round in 0..<3 {
                let left = found.texts.count { $0.hasPrefix("gone \(round)") }
                if told.contains("cleared: \(round)") {
                    #expect(left == 0, place)
                } else if round == 0, told.contains("clearing: 0") {
                    #expect([0, 4].contains(left), place)
                }
            }
        }

        private func checkKey(
            _ home: URL,
            before: String?,
            after: String?,
            _ told: [String],
            _ place: Comment
        ) async throws {
            var found = try? await Self.read(into: home, passphrase: after)
            if !told.contains("changed"), found == nil { found = try await Self.read(into: home, passphrase: before) }
            let opened = try #require(found, place)
            #expect(opened.texts == texts, place)
            #expect(opened.signs == [], place)
        }

        private func checkErased(_ home: URL, _ told: [String], _ place: Comment) async throws {
            let files = FileManager.default
            let wasErasing = files.fileExists(atPath: home.appending(path: "erasing").path)
            do {
                let found = try await Self.read(into: home)
                #expect(found.texts == texts, place)
                #expect(!wasErasing && !told.contains("erased"), place)
            } catch let error as ChatError {
                #expect(error.code == (wasErasing ? .erasing : .noIdentity), place)
            }
            let left = (try? files.contentsOfDirectory(atPath: home.path)) ?? []
            if wasErasing || told.contains("erased") { #expect(Set(left).isSubset(of: ["lock"]), place) }
        }

        private struct Findings {
            let id: PeerID
            let texts: Set<String>
            let signs: [HistoryReport.Sign]
            let outboxCount: Int
        }

        /// Opens a data directory, and reads all of it.
        private static func read(into home: URL, name: String? = nil, passphrase: String? = nil) async throws
            -> Findings
        {
            var settings = ChatConfiguration()
            settings.passphraseCost = .small
            let place = Home.directory(home, key: Home.Key(passphrase: passphrase))
            let node = try await ChatNode.open(place, orCreate: name, settings)
            var texts: Set<String> = []
            do {
                for conversation in try await node.conversations.all() {
                    texts.insert(conversation.title)
                    texts.formUnion(try await node.conversation(conversation.id).history(limit: 1_000).map(\.text))
                }
                let signs = try await node.history.check().signs
                let status = await node.status
                await node.stop()
                texts.remove("")
                return Findings(id: status.id, texts: texts, signs: signs, outboxCount: status.outboxCount)
            } catch {
                await node.stop()
                throw error
            }
        }
    }
#endif
