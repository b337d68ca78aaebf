import Foundation

/// The counters of one network interface, from Linux's `/proc/net/dev`.
struct InterfaceTraffic: Sendable {
    /// Units: bytes of IP packets.
    let received: Int
    /// Units: bytes of IP packets.
    let sent: Int

    /// Units: bytes of an Ethernet header, which the counters include.
    private static let headerByteCount = 14

    /// Reads the counters; nil if the system has none, or for loopback, which all programs of a machine share.
    ///
    /// - Parameter process: The process whose network namespace has the interface; nil for this one.
    init?(of interface: String, process: Int32? = nil) {
        guard interface != "lo", let text = Self.table(of: process) else { return nil }
        let rows = text.split(separator: "\n").map { $0.split { $0 == " " || $0 == ":" }.map(String.init) }
        guard let row = rows.first(where: { $0.first == interface }), row.count > 10 else { return nil }
        let numbers = row.dropFirst().compactMap(Int.init)
        received = numbers[0] - numbers[1] * Self.headerByteCount
        sent = numbers[8] - numbers[9] * Self.headerByteCount
    }

    /// The only interface besides loopback in the namespace of a process, or of this one; nil if there are several.
    static func onlyInterface(of process: Int32? = nil) -> String? {
        guard let text = table(of: process) else { return nil }
        let names = text.split(separator: "\n").dropFirst(2).compactMap { line in
            line.split(separator: ":").first.map { $0.trimmingCharacters(in: .whitespaces) }
        }
        let others = names.filter { $0 != "lo" }
        return others.count == 1 ? others.first : nil
    }

    private static func table(of process: Int32?) -> String? {
        try? String(contentsOfFile: "/proc/\(process.map(String.init) ?? "self")/net/dev", encoding: .utf8)
    }
}
