#if os(Linux)
    import Foundation
    import MeshCore
    import Testing

    /// Data directories in a state that a loss of power can leave.
    ///
    /// The tests derive them from the recorded writes and waits of a process.
    ///
    /// `EARSHOT_SEEDS` is the number of data directories.
    @Suite(
        "Lost power",
        .enabled(if: SystemCallTracer.isPossible, Comment(rawValue: SystemCallTracer.need)),
        .timeLimit(.minutes(60))
    )
    struct LostPowerTests {
        private static let demanded = ProcessInfo.processInfo.environment["EARSHOT_SEEDS"].flatMap(UInt64.init)
        private static let seeds = 1...max(1, demanded ?? 45)

        @Test("Whatever a disk loses of what nobody waited for, nothing that was told to be done is among it")
        func lost() async throws {
            let homes = try await TrialHomes()
            let activities = Trial.Activity.allCases
            for (number, activity) in activities.enumerated() {
                let (before, trial) = (try homes.makeTrial(activity, nil), try homes.makeTrial(activity, nil))
                await homes.run(trial)
                let folder = URL(filePath: trial.folder)
                let power = try LostPower(before: URL(filePath: before.folder), record: trial.record, root: folder.path)
                let copy = folder.appendingPathExtension("copy")
                try power.make(copy, before: power.callCount, .allKept, keeping: "told", seed: 0)
                #expect(try Self.files(in: copy) == Self.files(in: folder), "\(activity): all calls were seen")
                try FileManager.default.removeItem(at: copy)
                for seed in Self.seeds where Int(seed) % activities.count == number {
                    try await lose(power, copy, activity, seed, homes)
                }
                for used in [before, trial] { homes.remove(used) }
            }
        }

        private func lose(
            _ power: LostPower,
            _ folder: URL,
            _ activity: Trial.Activity,
            _ seed: UInt64,
            _ homes: TrialHomes
        ) async throws {
            var random = SplitMix64(seed: seed)
            var end = Int.random(in: 0...power.callCount, using: &random)
            // Every second trial loses the power right before a wait, because most may be lost there.
            if seed % 2 == 0 { end = (end..<power.callCount).first(where: power.isWait) ?? end }
            let fate = LostPower.Fate.allCases.randomElement(using: &random) ?? .anySector
            let place = Comment(rawValue: "seed \(seed): \(activity), \(fate), call \(end) of \(power.callCount)")
            try power.make(folder, before: end, fate, keeping: "told", seed: seed)
            let told = try String(contentsOf: folder.appending(path: "told"), encoding: .utf8).split(separator: "\n")
            do {
                try await homes.check(folder.appending(path: "home"), after: activity, told.map(String.init), place)
            } catch {
                Issue.record(error, place)
            }
            try FileManager.default.removeItem(at: folder)
        }

        private static func files(in folder: URL) throws -> [String: Data?] {
            try FileManager.default.subpathsOfDirectory(atPath: folder.path).reduce(into: [:]) { files, name in
                files[name] = .some(try? Data(contentsOf: folder.appending(path: name)))
            }
        }
    }
#endif
