import Foundation

/// A peer that is ready to be measured by its driver.
struct InstalledPeer: Contender {
    /// The longest time to the first message: toxcore takes 9 seconds, with ten receivers more.
    private static let startLimit = Duration.seconds(180)
    /// The longest time for a command beyond the time that it is told to take.
    private static let answerLimit = Duration.seconds(300)

    let driver: PeerDriver
    let sheet: ContenderSheet
    /// The command line of the driver, for `env`.
    let command: [String]
    /// The folder for the state of the ends.
    let folder: URL

    private struct Ready: Decodable {
        let ready: String
    }

    private struct Started: Decodable {
        let milliseconds: Double
    }

    private struct Trips: Decodable {
        let p50: Double
        let p99: Double
    }

    private struct Messages: Decodable {
        let count: Int
        let seconds: Double
    }

    private struct File: Decodable {
        let seconds: Double
    }

    var parts: [PeerPart] {
        [.pair] + (driver.does(.group) ? [.group] : []) + (driver.does(.idle) ? [.idle] : [])
    }

    func measure(_ part: PeerPart, _ work: PeerWork) async throws -> [PeerFigure: Double] {
        let receivers = driver.isAlone ? 0 : part == .group ? work.receivers : 1
        let stage = try part == .group ? NamespaceStage.segment(receivers + 1) : NamespaceStage.row(2)
        return try await Run.on(stage) { stage in
            var ends: [BenchProcess] = []
            do {
                var contacts: [String] = []
                for number in 0..<receivers {
                    let end = try self.end("receive", number + 1, on: stage, contacts)
                    ends.append(end)
                    contacts.append(try await end.answer(Ready.self, atMost: Self.startLimit).ready)
                }
                let sender = try end("send", 0, on: stage, contacts)
                ends.append(sender)
                let figures = try await measure(part, work, sender)
                for end in ends { await end.terminate() }
                return figures
            } catch {
                for end in ends { await end.terminate() }
                throw error
            }
        }
    }

    private func end(
        _ role: String,
        _ number: Int,
        on stage: NamespaceStage,
        _ contacts: [String]
    ) throws -> BenchProcess {
        let state = folder.appending(path: "\(number)")
        try? FileManager.default.removeItem(at: state)
        try FileManager.default.createDirectory(at: state, withIntermediateDirectories: true)
        let arguments = [role, stage.addresses[number], state.path] + contacts
        return try BenchProcess(running: ["env"] + command + arguments, in: .namespace(stage.hosts[number]))
    }

    private func measure(
        _ part: PeerPart,
        _ work: PeerWork,
        _ sender: BenchProcess
    ) async throws -> [PeerFigure: Double] {
        let started = try await sender.answer(Started.self, atMost: Self.startLimit)
        switch part {
        case .pair: return try await measurePair(work, sender).merging([.firstMessage: started.milliseconds]) { $1 }
        case .group: return [.group: try await messagesPerSecond(work, sender)]
        case .idle:
            let idleness = try await Idleness.measured(for: work.idleSeconds, process: sender.identifier)
            return idleness?.figures ?? [:]
        }
    }

    private func measurePair(_ work: PeerWork, _ sender: BenchProcess) async throws -> [PeerFigure: Double] {
        var figures: [PeerFigure: Double] = [:]
        if driver.does(.trips) {
            let command = "trips \(work.roundTrips)"
            let trips = try await sender.answer(Trips.self, to: command, atMost: Self.answerLimit)
            figures[.roundTrip] = trips.p50
            figures[.roundTripP99] = trips.p99
        }
        if driver.does(.messages) { figures[.messages] = try await messagesPerSecond(work, sender) }
        if driver.does(.file) {
            let command = "file \(work.megabytes * 1_000_000)"
            let file = try await sender.answer(File.self, to: command, atMost: Self.answerLimit)
            figures[.file] = Double(work.megabytes) / file.seconds
        }
        return figures
    }

    private func messagesPerSecond(_ work: PeerWork, _ sender: BenchProcess) async throws -> Double {
        let command = "messages 100 \(work.seconds)"
        let limit = Self.answerLimit + .seconds(work.seconds)
        let messages = try await sender.answer(Messages.self, to: command, atMost: limit)
        return Double(messages.count) / messages.seconds
    }
}
