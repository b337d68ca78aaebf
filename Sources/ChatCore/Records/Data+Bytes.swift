#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

extension Data {
    /// Bytes as fields of generated types have them.
    package static func bytes(_ bytes: some Sequence<UInt8>) -> Data { Data(bytes) }
}
