import MeshCore
import MeshSimulation
import Testing

@testable import ChatCore

@Suite("Kinds of envelope")
struct ChatKindsTests {
    @Test("A simulated mesh treats envelopes as a mesh of chat does")
    func policies() {
        #expect(KindPolicy.chat == KindPolicy.simulated)
        #expect(KindPolicy.chat.kinds.map(\.rawValue) == Array(0...15))
    }
}
