import Earshot
import Foundation

/// The machine and the date of the figures, which mean nothing without them.
struct Machine: Codable, Sendable {
    let date: String
    let processor: String
    let cores: Int
    let system: String
    let earshot: String
    let build: String
    /// The number of processes that wanted the processor on average in the last minute; more than there are cores
    /// spoils the figures.
    let load: Double

    /// This machine, today.
    static var current: Machine {
        Machine(
            date: Date.now.formatted(.iso8601.year().month().day()),
            processor: processorName,
            cores: ProcessInfo.processInfo.activeProcessorCount,
            system: ProcessInfo.processInfo.operatingSystemVersionString + ", kernel " + kernel,
            earshot: ChatNode.version,
            build: buildName,
            load: load
        )
    }

    private static var processorName: String {
        let text = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("model name") }
        return line?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) } ?? "unknown"
    }

    private static var kernel: String {
        let text = try? String(contentsOfFile: "/proc/sys/kernel/osrelease", encoding: .utf8)
        return text?.trimmingCharacters(in: .whitespacesAndNewlines) ?? "unknown"
    }

    private static var load: Double {
        var averages = [0.0]
        return getloadavg(&averages, 1) == 1 ? averages[0] : 0
    }

    private static var buildName: String {
        #if DEBUG
            "debug: these figures say nothing"
        #else
            "release"
        #endif
    }
}
