import Foundation
import Testing

@testable import GatewayCore
@testable import MeshGateway

@Suite("Reasons why certificates are not valid")
struct NATSCertificateTests {
    private static func element(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
        contents.count < 128
            ? [tag, UInt8(contents.count)] + contents
            : [tag, 0x82, UInt8(contents.count >> 8), UInt8(truncatingIfNeeded: contents.count)] + contents
    }

    /// Returns the parts of a certificate that are looked at.
    private static func certificate(
        issuer: String = "a",
        _ begin: String = "261101000000Z",
        _ end: String = "261201000000Z",
        tag: UInt8 = 0x17,
        hasVersion: Bool = true
    ) -> [UInt8] {
        let version = element(0xA0, [2, 1, 2])
        let validity = element(0x30, element(tag, Array(begin.utf8)) + element(tag, Array(end.utf8)))
        let fields =
            (hasVersion ? version : []) + element(2, [7]) + element(0x30, []) + element(0x30, Array(issuer.utf8))
            + validity + element(0x30, Array("a".utf8)) + element(0x30, [UInt8](repeating: 1, count: 300))
        return element(0x30, element(0x30, fields) + element(0x30, []))
    }

    private func reason(_ bytes: [UInt8]) throws -> String {
        CertificateFault.reason(bytes, at: try Date.ISO8601FormatStyle().parse("2026-11-29T20:25:50Z"))
    }

    @Test(
        "The reason is named",
        arguments: [
            (certificate(), "self-signed certificate"), (certificate(hasVersion: false), "self-signed certificate"),
            (certificate(issuer: "b"), "nobody known has signed it"),
            (certificate("250101000000Z", "261129202549Z"), "certificate has expired"),
            (certificate("990101000000Z", "991231000000Z"), "certificate has expired"),
            (certificate("20250101000000Z", "20261129202549Z", tag: 0x18), "certificate has expired"),
            (certificate("261129202551Z"), "certificate is not yet valid"),
            (certificate("no time", "2026"), "self-signed certificate"),
            ([], "it cannot be read"), ([0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF], "it cannot be read"),
        ] as [([UInt8], String)]
    )
    func reasons(certificate: [UInt8], text: String) throws {
        #expect(try reason(certificate) == text)
    }

    @Test("Changed certificates never trap")
    func changes() throws {
        let whole = Self.certificate()
        for place in whole.indices {
            _ = try reason(Array(whole[..<place]))
            for value in [0, 0x7F, 0x80, 0x83, 0x84, 0xFF] as [UInt8] {
                var changed = whole
                changed[place] = value
                _ = try reason(changed)
            }
        }
    }
}
