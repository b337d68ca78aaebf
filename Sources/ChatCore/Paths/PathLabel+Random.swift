import ChatCrypto
import MeshCore

extension PathLabel {
    /// Makes a random label.
    static func random() -> PathLabel {
        PathLabel(randomBytes(byteCount).reduce(0) { $0 << 8 | UInt64($1) })
    }
}
