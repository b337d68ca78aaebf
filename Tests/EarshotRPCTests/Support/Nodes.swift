import ChatCrypto
import EarshotRPC
import Foundation
import Testing

@testable import ChatCore
@testable import Earshot

extension ChatNode {
    /// Makes a node for Alice, which knows Bob and Carol and has not joined the mesh.
    static func alice(home: Home = .memory, passphrase: String? = nil) async throws -> ChatNode {
        var mesh = MeshOptions()
        (mesh.interfaces, mesh.usesMulticast) = (["lo"], false)
        var settings = ChatConfiguration(mesh: mesh)
        settings.passphraseCost = .small
        let node = try await open(home.with(passphrase: passphrase), orCreate: "Alice", settings)
        for (name, identity) in [("Bob", Samples.identity), ("Carol", Samples.otherIdentity)] {
            let known = try await node.account.importContact(
                try #require(identity),
                named: try Nickname(name),
                isBlocked: false,
                ofOwnExport: true
            )
            try #require(known?.trust == .tofu)
        }
        return node
    }

    /// Makes two nodes on the loopback interface that have met; the test must stop the second one too.
    static func pair() async throws -> (alice: ChatNode, bob: ChatNode) {
        var mesh = MeshOptions()
        mesh.interfaces = ["lo"]
        mesh.discoveryGroups = ["239.255.\(UInt8.random(in: 0...255)).7:\(UInt16.random(in: 20_000...60_000))"]
        let alice = try await ChatNode.create(name: "Alice", ChatConfiguration(mesh: mesh))
        let bob = try await ChatNode.create(name: "Bob", ChatConfiguration(mesh: mesh))
        let events = try alice.events()
        try await alice.start()
        try await bob.start()
        for await event in events {
            if case .contact(let contact) = event, contact.name == "Bob" { break }
        }
        return (alice, bob)
    }

    /// Returns the line that answers a call.
    nonisolated func answer(_ method: String, _ parameters: String = "{}", access: RPCAccess = .owner) async throws
        -> String
    {
        let line = #"{"jsonrpc":"2.0","method":"\#(method)","params":\#(parameters),"id":1}"#
        let answer = await RPCDispatcher(node: self, access: access).answer(Array(line.utf8))
        return String(decoding: try #require(answer.line), as: UTF8.self)
    }

    /// Returns the texts of the conversation with Bob.
    func texts() async throws -> [String] {
        let bob = try await contacts.named("Bob").id
        return try await conversation(.direct(bob)).history(limit: 1_000).map(\.text)
    }
}

extension String {
    /// Whether the line is an answer with this JSON as its result.
    func isResult(_ json: String) -> Bool { self == #"{"id":1,"jsonrpc":"2.0","result":\#(json)}"# }
}
