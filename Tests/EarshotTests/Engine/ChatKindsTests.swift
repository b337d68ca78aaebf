import MeshCore
import MeshSimulation
import Testing

@testable import ChatCore

@Suite("Kinds of envelope")
struct ChatKindsTests {
    @Test("A simulated mesh treats envelopes as a mesh of chat does, but allows bodies of any size")
    func policies() {
        for kind in KindPolicy.chat.kinds where kind != .probe {
            #expect(KindPolicy.chat[kind]?.sized(.any) == KindPolicy.simulated[kind], "\(kind)")
        }
        #expect(KindPolicy.chat.kinds.map(\.rawValue) == Array(0...15))
    }
}
