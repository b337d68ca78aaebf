import Testing

@testable import ChatCrypto

#if canImport(Glibc)
    import Glibc
#endif

@Suite("Start of the cryptography")
struct CryptoStartTests {
    @Test("The machine that runs the tests has a working cipher")
    func starts() throws {
        try CryptoStart.check()
        #expect(["libsodium", "swift-crypto"].contains(CryptoStart.cipherSource))
    }

    #if canImport(Glibc)
        @Test("A hardened process dumps no core and cannot be traced by its user's other programs")
        func hardens() async {
            await #expect(processExitsWith: .success) {
                try CryptoStart.hardenProcess()
                var limit = rlimit()
                guard getrlimit(__rlimit_resource_t(4), &limit) == 0 else { exit(1) }
                guard limit.rlim_cur == 0, limit.rlim_max == 0 else { exit(2) }
                // prctl is variadic, and Swift cannot call a variadic function by its declaration.
                typealias Control = @convention(c) (CInt, UInt, UInt, UInt, UInt) -> CInt
                guard let symbol = dlsym(nil, "prctl") else { exit(3) }
                let isDumpable = unsafeBitCast(symbol, to: Control.self)(3, 0, 0, 0, 0)
                exit(isDumpable == 0 ? 0 : 4)
            }
        }
    #endif

    @Test("Errors are equal by code and print their reason")
    func comparesErrorsByCode() {
        let error = CryptoError(.malformed, "One.", cause: CryptoError(.outOfMemory, "Two."))
        #expect(error == CryptoError(.malformed, "Other."))
        #expect(error != CryptoError(.outOfBounds, "One."))
        #expect("\(error)" == "malformed: One.")
        #expect(error.cause as? CryptoError == CryptoError(.outOfMemory, ""))
    }
}
