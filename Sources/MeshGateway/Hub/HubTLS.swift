import Foundation
import GatewayCore
import NIOCore
import NIOPosix
import NIOSSL

/// TLS towards hubs: the certificates are checked in full, with their names.
enum HubTLS {
    /// Reads the authorities from whose certificates the hub's may descend.
    ///
    /// - Parameter authorities: A file in PEM form with certificates besides those of the system.
    static func context(authorities: String?) async throws(HubError) -> NIOSSLContext {
        do {
            // The files are large, so a thread for such calls reads them.
            return try await NIOThreadPool.singleton.runIfActive {
                var configuration = TLSConfiguration.makeClientConfiguration()
                configuration.minimumTLSVersion = .tlsv12
                configuration.certificateVerification = .fullVerification
                // A hub that is left cannot keep the connection for long.
                configuration.shutdownTimeout = .seconds(1)
                if let authorities {
                    guard let certificates = try? NIOSSLCertificate.fromPEMFile(authorities), !certificates.isEmpty
                    else { throw HubError.authorities(authorities) }
                    configuration.additionalTrustRoots = [.certificates(certificates)]
                }
                return try NIOSSLContext(configuration: configuration)
            }
        } catch {
            throw error as? HubError ?? .noTLS
        }
    }

    /// Makes the part of a channel that encrypts.
    static func handler(_ context: NIOSSLContext, for hub: HubURL) throws -> NIOSSLClientHandler {
        try NIOSSLClientHandler(context: context, serverHostname: hub.isNumeric ? nil : hub.host)
    }

    /// Returns the failure that an error of TLS stands for.
    ///
    /// - Parameter handler: The part of the channel that encrypts.
    static func failure(_ error: any Error, of handler: NIOSSLClientHandler?, at hub: HubURL) -> HubError? {
        switch error {
        case is NIOSSLExtraError where error as? NIOSSLExtraError == .failedToValidateHostname:
            return .certificate(hub, "it is valid for another name")
        case NIOSSLError.handshakeFailed(.sslError([.eofDuringHandshake])):
            return .unreachable(hub, HubText.ended)
        case NIOSSLError.handshakeFailed(.sslError(let errors)):
            let words = errors.map { reason("\($0)") }
            guard words.contains(where: { $0 == "certificate verify failed" }) else {
                return .unreachable(hub, "TLS fails, \(words.first ?? "without a reason")")
            }
            let certificate = try? handler?.peerCertificate?.toDERBytes()
            return .certificate(hub, CertificateFault.reason(certificate ?? [], at: .now))
        case is NIOSSLError, is BoringSSLError: return .unreachable(hub, "TLS fails")
        default: return nil
        }
    }

    /// Takes the reason out of `error:1000007d:SSL routines:OPENSSL_internal:CERTIFICATE_VERIFY_FAILED at …`.
    private static func reason(_ text: String) -> String {
        let name = text.split(separator: ":").last { $0.contains("_") && $0.contains(" at ") } ?? ""
        let words = name.prefix { $0 != " " }.lowercased().replacingOccurrences(of: "_", with: " ")
        return HubText.shown(words)
    }
}
