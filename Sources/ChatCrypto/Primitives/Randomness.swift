import CSodium
import Synchronization

/// The one source of random bytes: the operating system's, by libsodium.
enum Randomness {
    #if DEBUG
        /// Bytes that known-answer tests hand out in place of random ones; debug builds only, and only within a task.
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
    /// A prepared sequence of "random" bytes; running out of it is the test's mistake.
    final class RandomTape: Sendable {
        private let rest: Mutex<ArraySlice<UInt8>>

        init(_ bytes: [UInt8]) {
            rest = Mutex(bytes[...])
        }

        var isUsedUp: Bool { rest.withLock { $0.isEmpty } }

        func next(_ count: Int) -> ArraySlice<UInt8> {
            rest.withLock { rest in
                precondition(rest.count >= count, "the tape of random bytes is at its end")
                defer { rest = rest.dropFirst(count) }
                return rest.prefix(count)
            }
        }
    }
#endif

/// Makes random bytes that need not stay secret: nonces, identifiers, salts.
package func randomBytes(_ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
        Randomness.fill(UnsafeMutableRawBufferPointer(buffer).prefixBuffer(count))
        initialized = count
    }
}

extension UnsafeMutableRawBufferPointer {
    /// An array's buffer may be larger than asked for.
    fileprivate func prefixBuffer(_ count: Int) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: self[..<count])
    }
}
