import Bytes
import Foundation

/// The reason why a certificate is not valid; the library of TLS does not name it.
enum CertificateFault {
    /// Returns the reason in a few words.
    ///
    /// - Parameter certificate: The certificate in DER form, as a hub sent it.
    static func reason(_ certificate: [UInt8], at now: Date) -> String {
        guard let parts = Parts(certificate) else { return "it cannot be read" }
        let style = Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted)
        let today = now.formatted(style).filter(\.isNumber)
        if let end = parts.end, end < today { return "certificate has expired" }
        if let begin = parts.begin, begin > today { return "certificate is not yet valid" }
        return parts.issuer == parts.subject ? "self-signed certificate" : "nobody known has signed it"
    }

    /// The parts of a certificate that count.
    ///
    /// Source: RFC 5280 section 4.1.
    private struct Parts {
        let issuer: ArraySlice<UInt8>
        let subject: ArraySlice<UInt8>
        /// The first and the last second as 14 digits; nil if they are no times.
        let begin: String?
        let end: String?

        init?(_ certificate: [UInt8]) {
            var outer = ByteReader(certificate)
            guard var signed = Self.element(of: &outer).map({ ByteReader($0.contents) }),
                var fields = Self.element(of: &signed).map({ ByteReader($0.contents) })
            else { return nil }
            // The version may be left out.
            if fields.next == 0xA0 { _ = Self.element(of: &fields) }
            guard Self.element(of: &fields) != nil, Self.element(of: &fields) != nil,
                let issuer = Self.element(of: &fields), let validity = Self.element(of: &fields),
                let subject = Self.element(of: &fields)
            else { return nil }
            var times = ByteReader(validity.contents)
            (self.issuer, self.subject) = (issuer.contents, subject.contents)
            begin = Self.element(of: &times).flatMap(Self.time)
            end = Self.element(of: &times).flatMap(Self.time)
        }

        private struct Element {
            let tag: UInt8
            let contents: ArraySlice<UInt8>
        }

        private static func element(of reader: inout ByteReader) -> Element? {
            guard let tag = reader.byte(), let first = reader.byte() else { return nil }
            guard first >= 0x80 else { return reader.take(Int(first)).map { Element(tag: tag, contents: $0) } }
            let count = Int(first & 0x7F)
            guard (1...3).contains(count), let length = reader.take(count) else { return nil }
            return reader.take(length.reduce(0) { $0 << 8 | Int($1) }).map { Element(tag: tag, contents: $0) }
        }

        /// Reads a UTCTime, whose years begin with 1950, or a GeneralizedTime.
        private static func time(_ element: Element) -> String? {
            let digits = String(decoding: element.contents.dropLast(), as: UTF8.self)
            guard digits.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
            switch (element.tag, digits.count) {
            case (0x17, 12): return (digits < "50" ? "20" : "19") + digits
            case (0x18, 14): return digits
            default: return nil
            }
        }
    }
}
