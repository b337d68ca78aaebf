/// The address of a hub as contacts state it: `tls://` or `nats://`, a host in lower case, and a port or none.
///
/// It never holds a login. Source: PROTOCOL §20.
package struct HubAddress: Hashable, Sendable {
    /// Units: bytes of an address.
    static let maximumByteCount = 128
    /// The schemes of hubs.
    private static let schemes = ["tls://", "nats://"]

    /// The address.
    package let text: String

    /// Reads an address; nil for anything else, and for one with a login.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.maximumByteCount,
            let scheme = Self.schemes.first(where: { text.utf8.starts(with: $0.utf8) })
        else { return nil }
        let place = Array(text.utf8.dropFirst(scheme.utf8.count))
        guard let end = Self.endOfHost(in: place), Self.isPort(place[end...]) else { return nil }
        self.text = text
    }

    /// Returns the end of the name or numeric address at the beginning; nil if there is none.
    private static func endOfHost(in place: [UInt8]) -> Int? {
        guard place.first == UInt8(ascii: "[") else {
            let host = place.prefix { $0 != UInt8(ascii: ":") }
            let isHost = !host.isEmpty && host.last != UInt8(ascii: ".") && host.allSatisfy(isOfName)
            return isHost ? host.endIndex : nil
        }
        guard let close = place.firstIndex(of: UInt8(ascii: "]")), close > 2,
            place[1..<close].allSatisfy(isOfNumericAddress)
        else { return nil }
        return close + 1
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
            UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    private static func isOfNumericAddress(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: ":"),
            UInt8(ascii: "."):
            true
        default: false
        }
    }

    /// Returns whether the rest of an address is nothing, or a port of 1 to 65,535 without zeros in front.
    private static func isPort(_ rest: ArraySlice<UInt8>) -> Bool {
        guard let colon = rest.first else { return true }
        let digits = rest.dropFirst()
        guard colon == UInt8(ascii: ":"), 1...5 ~= digits.count, digits.first != UInt8(ascii: "0"),
            digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
        else { return false }
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } <= Int(UInt16.max)
    }
}
