#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

extension Data {
    /// Converts bytes for fields of generated types.
    package static func bytes(_ bytes: some Sequence<UInt8>) -> Data { Data(bytes) }
}
