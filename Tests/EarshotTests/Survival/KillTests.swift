#if os(Linux)
    import Foundation
    import MeshCore
    import Testing

    /// Processes that are killed at the start of a system call.
    ///
    /// This covers every point between two calls that change files.
    ///
    /// `EARSHOT_SEEDS` is the number of processes that are killed. 500 take some minutes.
    @Suite(
        "Killed processes",
        .enabled(if: SystemCallTracer.isPossible, Comment(rawValue: SystemCallTracer.need)),
        .timeLimit(.minutes(60))
    )
    struct KillTests {
        private static let demanded = ProcessInfo.processInfo.environment["EARSHOT_SEEDS"].flatMap(UInt64.init)
        private static let seeds = 1...max(1, demanded ?? 27)

        @Test("A process that is killed between any two system calls has lost nothing that it had told to be done")
        func killed() async throws {
            let homes = try await TrialHomes()
            var stops: [Trial.Activity: [Trial.Stop]] = [:]
            for activity in Trial.Activity.allCases {
                let trial = try homes.makeTrial(activity, nil)
                await homes.run(trial)
                stops[activity] = try Self.stops(in: trial.record)
                homes.remove(trial)
            }
            var killedCount = 0
            for seed in Self.seeds {
                var random = SplitMix64(seed: seed)
                let activity = Trial.Activity.allCases[Int(seed) % Trial.Activity.allCases.count]
                let stop = try #require(stops[activity]?.randomElement(using: &random))
                let trial = try homes.makeTrial(activity, stop)
                await homes.run(trial)
                let told = try String(contentsOfFile: trial.tellings, encoding: .utf8).split(separator: "\n")
                if told.last != "done" { killedCount += 1 }
                let place = Comment(rawValue: "seed \(seed): \(activity) at \(stop.call) \(stop.number)")
                do {
                    try await homes.check(trial.home, after: activity, told.map(String.init), place)
                } catch {
                    Issue.record(error, place)
                }
                homes.remove(trial)
            }
            #expect(killedCount * 2 > Self.seeds.count, "most are killed in the middle of it")
        }

        /// Returns every call that a process made, counted per thread.
        private static func stops(in record: String) throws -> [Trial.Stop] {
            var counts: [Substring: [Substring: Int]] = [:]
            for line in try String(contentsOfFile: record, encoding: .utf8).split(separator: "\n") {
                let words = line.prefix(60).split(separator: " ", maxSplits: 1)
                guard let call = words.last?.drop(while: { $0 == " " }), let end = call.firstIndex(of: "("),
                    call.first != "<"
                else { continue }
                counts[call[..<end], default: [:]][words[0], default: 0] += 1
            }
            return counts.flatMap { call, threads in
                (1...(threads.values.max() ?? 1)).map { Trial.Stop(call: String(call), number: $0) }
            }
            .sorted { ($0.call, $0.number) < ($1.call, $1.number) }
        }
    }
#endif
