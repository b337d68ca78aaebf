import ArgumentParser
import Earshot

/// Earshot as a contender, measured by the same code as `pair` and `group`.
enum EarshotForm: String, Codable, CaseIterable, Contender {
    case mesh = "bare mesh"
    case memory = "chat in memory"
    case disk = "chat with SQLite"

    var sheet: ContenderSheet {
        ContenderSheet(
            name: "Earshot, \(rawValue)",
            version: ChatNode.version,
            beside: self,
            traits: [
                .encrypts: self == .mesh ? "no, from hop to hop" : "yes",
                .stores: self == .mesh ? "not this kind" : self == .disk ? "yes, synced" : "in memory",
                .confirms: self == .mesh ? "no, but a program can answer" : "yes",
                .serverless: "yes",
                .relays: "yes, every node",
            ],
            confirmation: self == .mesh
                ? "the receiving program's answer to 32 messages, or after 20 ms; a segment carries 400 pushes a second"
                : "Earshot's receipts, after the receiver has stored the message"
        )
    }

    var parts: [PeerPart] { PeerPart.allCases }

    func measure(_ part: PeerPart, _ work: PeerWork) async throws -> [PeerFigure: Double] {
        let receivers = part == .group ? work.receivers : 1
        let workload = try WorkloadOptions.parse(arguments(part, work))
        let stage = try part == .group ? NamespaceStage.segment(receivers + 1) : NamespaceStage.row(2)
        let report = try await Run.on(stage) { stage in
            let places = stage.hosts.map(Place.namespace)
            return try await Run(
                command: rawValue,
                workload: workload,
                sender: places[0],
                receivers: Array(places.dropFirst())
            ).report()
        }
        return figures(part, report)
    }

    private func arguments(_ part: PeerPart, _ work: PeerWork) -> [String] {
        let only: [WorkloadOptions.Part] =
            switch part {
            case .pair: self == .mesh ? [.roundTrips, .small] : [.roundTrips, .small, .file]
            case .group: [.small]
            case .idle: [.idle]
            }
        let numbers = [
            "--starts", "1", "--round-trips", "\(work.roundTrips)", "--seconds", "\(work.seconds)",
            "--megabytes", "\(work.megabytes)", "--idle", "\(work.idleSeconds)",
        ]
        let level: WorkloadOptions.Level = self == .mesh ? .mesh : .chat
        let store: WorkloadOptions.Store = self == .disk ? .disk : .memory
        return ["--level", level.rawValue, "--store", store.rawValue] + numbers + ["--only"] + only.map(\.rawValue)
    }

    private func figures(_ part: PeerPart, _ report: Report) -> [PeerFigure: Double] {
        var figures: [PeerFigure: Double] = [:]
        switch part {
        case .pair:
            figures[.firstMessage] = report.startToFirstMessage.p50
            figures[.roundTrip] = report.roundTrip?.p50
            figures[.roundTripP99] = report.roundTrip?.p99
            figures[.messages] = report.messages.first?.perSecond
            figures[.file] = report.bulk.map {
                Double($0.byteCount) / ($0.sealingSeconds + $0.seconds) / 1e6
            }
        case .group:
            figures[.group] = report.messages.first?.perSecond
        case .idle:
            figures.merge(report.idle?.figures ?? [:]) { $1 }
        }
        return figures
    }
}

extension Idleness {
    /// The figures of a part that lets a process idle.
    var figures: [PeerFigure: Double] {
        [.memory: Double(residentBytes) / 1e6, .idle: sentBytesPerSecond + receivedBytesPerSecond]
    }
}
