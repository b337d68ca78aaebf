import CSodium
import Synchronization

#if !FUZZING
    @testable import ChatCrypto
#endif

/// Replaces the system's generator with a seeded one, so that an input behaves the same in every run.
func makeRandomnessRepeatable() {
    let implementation = UnsafeMutablePointer<randombytes_implementation>.allocate(capacity: 1)
    implementation.initialize(
        to: randombytes_implementation(
            implementation_name: { nil },
            random: { UInt32(truncatingIfNeeded: nextWord()) },
            stir: nil,
            uniform: nil,
            buf: { buffer, count in
                for offset in 0..<count {
                    buffer?.storeBytes(of: UInt8(truncatingIfNeeded: nextWord()), toByteOffset: offset, as: UInt8.self)
                }
            },
            close: nil
        )
    )
    guard randombytes_set_implementation(implementation) == 0, CryptoStart.isLibraryReady else {
        preconditionFailure("libsodium keeps its own randomness")
    }
}

private let state = Mutex<UInt64>(1)

/// Computes the next word.
///
/// Source: Steele, Lea, Flood 2014, SplitMix64.
private func nextWord() -> UInt64 {
    state.withLock { state in
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
        return word ^ word >> 31
    }
}
