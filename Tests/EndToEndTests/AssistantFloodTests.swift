#if os(Linux)
    import Foundation
    import Testing

    /// An allowed asker that sends without end and one without access that sends too, beside a third that only wants
    /// an answer; on loopback, where only the assistant slows them down.
    @Suite("Assistant in a flood", .serialized, .timeLimit(.minutes(60)))
    struct AssistantFloodTests {
        /// Whether the test sends 10,000 short texts and 1 GiB of texts of 64 KiB (`EARSHOT_FLOOD=1`) instead of a
        /// few.
        private static let isWhole = ProcessInfo.processInfo.environment["EARSHOT_FLOOD"] != nil
        private static let shortCount = isWhole ? 10_000 : 100
        private static let longCount = isWhole ? 16_384 : 16
        /// Units: bytes by which the assistant's memory may grow, whatever it receives.
        private static let growth = 32 << 20

        @Test("Prompts without end leave an assistant's memory as it was, its limits in force, and others served")
        func flood() async throws {
            let scene = try await FloodScene.start()
            defer { scene.oracle.stop() }
            let began = ContinuousClock.now
            try await scene.serves("calm")
            // The first round fills the mesh's store with pieces; later rounds reuse that memory.
            try await scene.floods(short: 64, long: Self.isWhole ? 3 * FloodScene.batch : 8)
            let before = try scene.residentByteCount
            var answerCount = 0
            for (name, short, long) in [("many", Self.shortCount, 0), ("long", 0, Self.longCount)] {
                async let flooding = scene.floods(short: short, long: long)
                for number in 0..<2 { try await scene.serves("beside \(name) prompts \(number)") }
                answerCount += try await flooding
                print("FIGURE \(short) short and \(long) long prompts within \(began.duration(to: .now))")
            }
            let after = try scene.residentByteCount
            print("FIGURE the assistant had \(before) B of memory, and \(after) B afterwards")
            #expect(after < before + Self.growth)
            try await scene.serves("at last")

            let requests = try await scene.oracle.requests(until: "at last")
            let allowed = 7 + Int(began.duration(to: .now) / .seconds(10))
            let own = requests.filter { $0.texts.last?.hasPrefix("honest") == false }
            #expect(own.count <= allowed, "\(own.count) requests of one who may have \(allowed)")
            #expect(own.allSatisfy { $0.texts.allSatisfy { !$0.contains("honest") && !$0.contains("stranger") } })
            #expect(await scene.strangersAnswers() == 1)
            // Each admitted prompt has one answer or one notice that the asker went on; between two of them there is
            // one notice to wait.
            #expect(answerCount <= 2 * own.count + 2)
            await scene.stop()
        }
    }

    private struct FloodScene {
        /// The number of prompts to send before the flood waits for their arrival.
        static let batch = 256

        let folder: TemporaryFolder
        let mallory: Asker
        let unknownPeer: Asker
        let honest: Asker
        let oracle: AssistantProcess

        static func start() async throws -> FloodScene {
            let folder = try TemporaryFolder()
            let place = NodeProcess.loopback()
            var nodes: [NodeProcess] = []
            var ids: [String] = []
            for name in ["Mallory", "Stranger", "Honest"] {
                nodes.append(try NodeProcess(name, home: try folder.home(name), place))
            }
            for node in nodes { ids.append(try await node.ready()) }
            let oracle = try await AssistantProcess(
                model: "echo:1",
                home: try folder.home("Oracle"),
                ["--allow", ids[0], "--allow", ids[2], "--context-tokens", "100000"] + place
            )
            var askers: [Asker] = []
            for node in nodes { askers.append(Asker(node: node, assistant: try await node.hears(of: "Oracle"))) }
            return FloodScene(
                folder: folder,
                mallory: askers[0],
                unknownPeer: askers[1],
                honest: askers[2],
                oracle: oracle
            )
        }

        /// Asks as the honest asker, who is allowed and asks seldom, and checks the answer.
        func serves(_ words: String) async throws {
            let question = try await honest.ask("honest \(words)")
            #expect(try await honest.answer(to: question) == "honest \(words) 0 ")
        }

        /// Sends prompts until all have arrived, and some as the asker without access.
        ///
        /// - Returns: The number of messages that the flooding asker received from the assistant.
        @discardableResult
        func floods(short: Int, long: Int) async throws -> Int {
            for number in 0..<20 { try await unknownPeer.ask("stranger \(number)") }
            var answerCount = 0
            for first in stride(from: 0, to: short, by: Self.batch) {
                answerCount += try await floods(first..<min(short, first + Self.batch)) { "flood \($0)" }
            }
            let padding = String(repeating: "x", count: 65_536)
            for first in stride(from: 0, to: long, by: Self.batch) {
                answerCount += try await floods(first..<min(long, first + Self.batch)) { number in
                    String("\(number) \(padding)".prefix(65_536))
                }
            }
            return answerCount
        }

        private func floods(_ numbers: Range<Int>, _ text: @escaping @Sendable (Int) -> String) async throws -> Int {
            await mallory.node.forgetEvents()
            try await withThrowingTaskGroup { group in
                for sender in 0..<4 {
                    group.addTask {
                        for number in numbers.dropFirst(sender) where (number - numbers.lowerBound) % 4 == sender {
                            try await mallory.ask(text(number))
                        }
                    }
                }
                try await group.waitForAll()
            }
            try await mallory.node.delivered(numbers.count)
            return await answers(to: mallory).count
        }

        func strangersAnswers() async -> Int { await answers(to: unknownPeer).count }

        private func answers(to asker: Asker) async -> [JSONValue] {
            await asker.node.eventsSoFar {
                $0["type"]?.string == "message" && $0["message"]?["outgoing"] == .bool(false)
            }
        }

        /// Units: bytes of resident memory of the assistant.
        var residentByteCount: Int {
            get throws {
                let file = try FileHandle(forReadingFrom: URL(filePath: "/proc/\(oracle.assistant.identifier)/statm"))
                defer { try? file.close() }
                let words = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self).split(separator: " ")
                guard words.count > 1, let pages = Int(words[1]) else {
                    throw NodeProcess.Failure(description: "the assistant has ended")
                }
                return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
            }
        }

        func stop() async {
            oracle.stop()
            for asker in [mallory, unknownPeer, honest] { await asker.node.stop() }
        }
    }
#endif
