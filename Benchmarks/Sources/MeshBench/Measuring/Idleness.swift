import Foundation

/// The traffic and the memory of an idle node.
struct Idleness: Codable, Sendable {
    /// The pause before the idle time, in which receipts and acknowledgements leave.
    private static let pause = Duration.seconds(5)

    let seconds: Double
    /// Units: bytes of IP packets a second.
    let sentBytesPerSecond: Double
    /// Units: bytes of IP packets a second.
    let receivedBytesPerSecond: Double
    /// Units: bytes; the memory that is resident at the end of the idle time.
    let residentBytes: Int

    /// Measures a process while it has nothing to do; nil on loopback, which other programs use, or if nothing
    /// counts.
    ///
    /// - Parameters:
    ///   - interface: The interface to measure; nil for the only one of the process's namespace.
    ///   - process: The process; nil for this one.
    static func measured(for seconds: Int, interface: String? = nil, process: Int32? = nil) async throws -> Idleness? {
        guard let interface = interface ?? InterfaceTraffic.onlyInterface(of: process),
            InterfaceTraffic(of: interface, process: process) != nil
        else { return nil }
        try await Task.sleep(for: pause)
        guard let before = InterfaceTraffic(of: interface, process: process) else { return nil }
        let begin = ContinuousClock.now
        try await Task.sleep(for: .seconds(seconds))
        guard let after = InterfaceTraffic(of: interface, process: process) else { return nil }
        let elapsed = begin.duration(to: .now).seconds
        return Idleness(
            seconds: elapsed,
            sentBytesPerSecond: Double(after.sent - before.sent) / elapsed,
            receivedBytesPerSecond: Double(after.received - before.received) / elapsed,
            residentBytes: residentBytes(of: process)
        )
    }

    private static func residentBytes(of process: Int32?) -> Int {
        let path = "/proc/\(process.map(String.init) ?? "self")/status"
        let lines = ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: "\n")
        let fields = lines.first { $0.hasPrefix("VmRSS:") }?.split { $0 == " " || $0 == "\t" } ?? []
        return fields.count > 1 ? (Int(fields[1]) ?? 0) * 1_024 : 0
    }
}
