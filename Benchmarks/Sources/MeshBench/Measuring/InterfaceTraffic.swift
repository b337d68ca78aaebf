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
    init?(of interface: String) {
        guard interface != "lo", let text = try? String(contentsOfFile: "/proc/net/dev", encoding: .utf8) else {
            return nil
        }
        let rows = text.split(separator: "\n").map { $0.split { $0 == " " || $0 == ":" }.map(String.init) }
        guard let row = rows.first(where: { $0.first == interface }), row.count > 10 else { return nil }
        let numbers = row.dropFirst().compactMap(Int.init)
        received = numbers[0] - numbers[1] * Self.headerByteCount
        sent = numbers[8] - numbers[9] * Self.headerByteCount
    }

    /// The only interface besides loopback; nil if there are several.
    static var onlyInterface: String? {
        guard let text = try? String(contentsOfFile: "/proc/net/dev", encoding: .utf8) else { return nil }
        let names = text.split(separator: "\n").dropFirst(2).compactMap { line in
            line.split(separator: ":").first.map { $0.trimmingCharacters(in: .whitespaces) }
        }
        let others = names.filter { $0 != "lo" }
        return others.count == 1 ? others.first : nil
    }
}
