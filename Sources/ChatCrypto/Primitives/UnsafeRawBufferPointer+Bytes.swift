import CSodium

extension UnsafeRawBufferPointer {
    /// Lends the bytes to a C function that refuses a null pointer even for a length of zero.
    func withPointer<R>(_ body: (UnsafePointer<UInt8>) -> R) -> R {
        guard let baseAddress else {
            return withUnsafePointer(to: UInt8(0)) { body($0) }
        }
        return body(baseAddress.assumingMemoryBound(to: UInt8.self))
    }
}

extension UnsafeMutableRawBufferPointer {
    /// Overwrites the bytes with zeros; the compiler cannot remove this call.
    package func wipe() {
        guard let baseAddress else { return }
        sodium_memzero(baseAddress, count)
    }
}
