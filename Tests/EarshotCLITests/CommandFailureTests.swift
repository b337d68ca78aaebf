import Earshot
import EarshotRPC
import Testing

@testable import EarshotCLI

@Suite("Exit statuses")
struct CommandFailureTests {
    @Test(
        "Each error of a node ends with the status that scripts expect",
        arguments: [
            (.notFound, 65), (.ambiguous, 65), (.numberMismatch, 65), (.tooLarge, 65), (.empty, 65), (.badName, 65),
            (.homeNewer, 65), (.homeCorrupt, 65), (.noIdentity, 65), (.alreadyInitialised, 65),
            (.meshUnavailable, 69), (.stopped, 69), (.cancelled, 69), (.limited, 75),
            (.refusedByTrust, 77), (.locked, 77), (.homeInUse, 77), (.homeUnusable, 77),
            (.cryptographyUnavailable, 1),
        ] as [(ChatError.Code, Int32)]
    )
    func statuses(code: ChatError.Code, status: Int32) {
        let failure = CommandFailure(ChatError(code, "Why."))
        #expect(failure.status.rawValue == status)
        #expect(failure.message == "Why.")
    }

    @Test("An ambiguous name brings the candidates")
    func candidates() {
        var error = RPCError(.ambiguous, "Two fit.")
        error.data?.candidates = ["a1", "b2"]
        #expect(CommandFailure(error).message == "Two fit.\n  a1\n  b2")
    }
}
