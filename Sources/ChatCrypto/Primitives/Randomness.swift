import CSodium
import Synchronization

/// The only source of random bytes: that of the operating system, through libsodium.
enum Randomness {
    #if DEBUG
        /// The bytes that known-answer tests use in place of random ones, in debug builds only and only within a task.
        @TaskLocal static var tape: RandomTape?
    #endif

    static func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        guard let base = buffer.baseAddress, !buffer.isEmpty else { return }
        #if DEBUG
            if let tape {
                return buffer.copyBytes(from: tape.next(buffer.count))
            }
        #endif
        randombytes_buf(base, buffer.count)
    }
}

#if DEBUG
    /// A prepared sequence of "random" bytes; a test that reads past its end is wrong.
    final class RandomTape: Sendable {
        private let rest: Mutex<ArraySlice<UInt8>>

        init(_ bytes: [UInt8]) {
            rest = Mutex(bytes[...])
        }

        var isExhausted: Bool { rest.withLock { $0.isEmpty } }

        func next(_ count: Int) -> ArraySlice<UInt8> {
            rest.withLock { rest in
                precondition(rest.count >= count, "the tape of random bytes is at its end")
                defer { rest = rest.dropFirst(count) }
                return rest.prefix(count)
            }
        }
    }
#endif

/// Makes random bytes that are not secret: nonces, identifiers, salts.
package func randomBytes(_ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
        Randomness.fill(UnsafeMutableRawBufferPointer(buffer).prefixBuffer(count))
        initialized = count
    }
}

extension UnsafeMutableRawBufferPointer {
    /// Answers the first `count` bytes, because an array's buffer may be larger than requested.
    fileprivate func prefixBuffer(_ count: Int) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: self[..<count])
    }
}
