import Foundation
import MeshCore
import MeshSimulation
import NIOCore
import Testing

@testable import MeshTransport

/// Tests with real connections and processes; no node here finds another by UDP.
@Suite("Links over streams", .timeLimit(.minutes(30)))
struct StreamTests {
    @Test("Two nodes link over TCP and pass envelopes both ways")
    func tcp() async throws {
        let listener = TestNode(.streams([.anyPort]))
        try await withRunning([listener]) {
            let caller = TestNode(.streams([try await .to(listener)]))
            try await withRunning([caller]) {
                try await pass(listener, caller)
                #expect(caller.outputs.all.mostLinksToOneNode == 1)
            }
            try await listener.outputs.wait { !$0.lostNodes.isEmpty }
        }
    }

    @Test("Two nodes link over the standard streams of commands, and both dial")
    func commands() async throws {
        let folder = try PipeFolder()
        let (there, back) = (try folder.pipe("there"), try folder.pipe("back"))
        let left = TestNode(.streams([.files(read: back, write: there)]))
        let right = TestNode(.streams([.files(read: there, write: back)]))
        try await withRunning([left, right]) { try await pass(left, right) }
    }

    @Test("Large envelopes pass, many at once, and none is lost")
    func load() async throws {
        let listener = TestNode(.streams([.anyPort]))
        try await withRunning([listener]) {
            let caller = TestNode(.streams([try await .to(listener)]))
            try await withRunning([caller]) {
                try await caller.linked(to: listener.id)
                for number in 0..<100 { await caller.submit([UInt8](repeating: UInt8(number), count: 10_000)) }
                try await listener.outputs.wait { $0.bodies.count == 100 }
                #expect(caller.outputs.all.lostNodes == [])
            }
        }
    }

    @Test("A node that stops ends its command and all that the command started")
    func ending() async throws {
        let folder = try PipeFolder()
        let events = EventLog()
        let pipe = try folder.pipe("held")
        // Neither the shell nor what it started ends with its streams. The pipe ends with the last process that holds it.
        let command = "trap '' TERM; exec 3>'\(pipe)'; sleep 1000 & printf '\\0\\1E'; wait"
        let node = TestNode(.streams([.command(command)]), events: events)
        let reading = Thread.reading(pipe)
        try await withRunning([node]) { try await events.wait { $0.datagram == [UInt8(ascii: "E")] } }
        #expect(await reading.value == Data())
    }

    @Test("A node stops although its command has started something that it cannot end")
    func escaped() async throws {
        let folder = try PipeFolder()
        let events = EventLog()
        let path = folder.path("pid")
        let inner = "echo $$ >\(path); exec sleep 1000"
        let command = "setsid sh -c '\(inner)' & while ! test -s \(path); do :; done; printf '\\0\\1E'; exec cat"
        let node = TestNode(.streams([.command(command)]), events: events)
        try await withRunning([node]) { try await events.wait { $0.datagram == [UInt8(ascii: "E")] } }
        let text = try String(contentsOfFile: path, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
        let escaped = try #require(Int32(text))
        #expect(kill(escaped, SIGKILL) == 0)
    }

    @Test("One other machine has two streams at most, and keeps nobody else out")
    func acceptedPerAddress() async throws {
        let events = EventLog()
        let listener = TestNode(.streams([.anyPort]), events: events)
        try await withRunning([listener]) {
            var connections: [any Channel] = []
            for count in 1...2 {
                connections.append(try await connection(to: listener, from: "127.0.0.2"))
                try await events.wait(for: "stream accepted", count: count)
            }
            let refused = try await connection(to: listener, from: "127.0.0.2")
            try await events.wait(for: "stream refused")
            try await refused.closeFuture.get()
            connections.append(try await connection(to: listener, from: "127.0.0.3"))
            try await events.wait(for: "stream accepted", count: 3)
            for connection in connections { try await connection.close() }
        }
    }

    @Test("A command is asked to end before it is killed")
    func asking() async throws {
        let folder = try PipeFolder()
        let events = EventLog()
        let pipe = try folder.pipe("answer")
        let command = "trap 'echo asked >&3; exit' TERM; exec 3>'\(pipe)'; printf '\\0\\1E'; sleep 1000 & wait"
        let node = TestNode(.streams([.command(command)]), events: events)
        let reading = Thread.reading(pipe)
        try await withRunning([node]) { try await events.wait { $0.datagram == [UInt8(ascii: "E")] } }
        #expect(await reading.value == Data("asked\n".utf8))
    }

    @Test("A command that ends is started again, and so is one that leaves its streams open")
    func restarting() async throws {
        for command in ["exit 1", "sleep 1000 & exit 0"] {
            let events = EventLog()
            try await withRunning([TestNode(.streams([.command(command)]), events: events)]) {
                try await events.wait(for: "stream opened", count: 3)
                try await events.wait(for: "stream ended", count: 2)
            }
        }
    }

    @Test("A connection that is cut, and one that nobody accepts yet, is made again")
    func reconnecting() async throws {
        let first = TestNode(.streams([.anyPort]))
        try await first.node.start()
        let target = try await Carrier.to(first)
        let events = EventLog()
        let caller = TestNode(.streams([target]), events: events)
        try await withRunning([caller]) {
            try await caller.linked(to: first.id)
            await first.node.stop()
            try await events.wait(for: "stream failed")
            guard case .tcp(let place) = target else { return }
            let second = TestNode(.streams([.listen(host: place.host, port: place.port)]))
            try await withRunning([second]) { try await pass(second, caller) }
        }
    }

    @Test("The link ends with the stream")
    func streamEnd() async throws {
        let listener = TestNode(.streams([.anyPort]))
        try await withRunning([listener]) {
            let caller = TestNode(.streams([try await .to(listener)]))
            try await withRunning([caller]) {
                try await listener.linked(to: caller.id)
                await caller.node.stop(quietly: true)
                try await listener.outputs.wait { outputs in
                    outputs.contains { if case .linkDown(_, _, reason: .interfaceLost) = $0 { true } else { false } }
                }
            }
        }
    }

    @Test("The node id stays when a stream ends")
    func nodeID() async throws {
        let events = EventLog()
        let listener = TestNode(.streams([.anyPort]), events: events)
        try await withRunning([listener]) {
            let id = await listener.id
            let unknown = try await connection(to: listener)
            try await unknown.close()
            try await events.wait(for: "stream ended")
            #expect(await listener.id == id)
        }
    }

    @Test("Eight streams are accepted, not more, and one that has ended makes room")
    func acceptedLimit() async throws {
        let events = EventLog()
        let listener = TestNode(.streams([.anyPort]), events: events)
        try await withRunning([listener]) {
            var connections: [any Channel] = []
            for count in 1...8 {
                connections.append(try await connection(to: listener))
                try await events.wait(for: "stream accepted", count: count)
            }
            let refused = try await connection(to: listener)
            try await events.wait(for: "stream refused")
            try await refused.closeFuture.get()
            try await connections.removeFirst().close()
            try await events.wait(for: "stream ended")
            connections.append(try await connection(to: listener))
            try await events.wait(for: "stream accepted", count: 9)
            for connection in connections { try await connection.close() }
        }
    }

    @Test("A frame that no datagram fits ends the stream")
    func badFrame() async throws {
        let listener = TestNode(.streams([.anyPort]))
        try await withRunning([listener]) {
            let connection = try await connection(to: listener)
            try await connection.writeAndFlush(ByteBuffer(bytes: [0, 1, 5, 0xFF, 0xFF]))
            try await connection.closeFuture.get()
        }
    }

    @Test("An accepted stream without a link is closed, also if datagrams come by it")
    func unused() async throws {
        let events = EventLog()
        let listener = TestNode(.streams([.anyPort]), events: events)
        try await withRunning([listener]) {
            let connection = try await connection(to: listener)
            try await connection.writeAndFlush(ByteBuffer(bytes: [0, 2, 0x40, 5]))
            try await events.wait { $0.datagram == [0x40, 5] }
            try await connection.closeFuture.get()
            #expect(events.lines.all.contains("stream without a link"))
        }
    }

    @Test("A port that is taken is refused")
    func portTaken() async throws {
        let listener = TestNode(.streams([.anyPort]))
        try await withRunning([listener]) {
            guard case .tcp(let place) = try await Carrier.to(listener) else { return }
            let configuration = MeshNode.Configuration.streams([.listen(host: place.host, port: place.port)])
            await #expect(throws: MeshTransportError(.portUnavailable, reason: "")) {
                try await TestNode(configuration).node.start()
            }
        }
    }

    @Test("Two nodes link over a line of 19,200 bit/s, which carries envelopes both ways and keeps its link")
    func slowLine() async throws {
        let line = try SerialLine(bytesPerSecond: 2_400)
        try #require(line.ends.count == 2)
        let nodes = line.carriers.map { TestNode(.streams([$0])) }
        try await withRunning(nodes) {
            try await nodes[0].linked(to: nodes[1].id)
            for number in 0..<40 {
                for (end, node) in nodes.enumerated() { await node.submit(.line(number, from: end)) }
            }
            for node in nodes { try await node.outputs.wait { $0.bodies.count == 40 } }
        }
        for node in nodes { #expect(node.outputs.all.linkCount == 1) }
    }

    /// Waits for a link between two nodes and passes an envelope each way.
    private func pass(_ left: TestNode, _ right: TestNode) async throws {
        try await left.linked(to: right.id)
        try await right.linked(to: left.id)
        await left.submit([1, 2, 3])
        await right.submit([4, 5, 6])
        try await right.received([1, 2, 3])
        try await left.received([4, 5, 6])
    }
}

extension [MeshEffect] {
    /// The number of links that came up.
    fileprivate var linkCount: Int {
        count { if case .linkUp = $0 { true } else { false } }
    }
}

extension [UInt8] {
    /// Makes the body of an envelope over a slow line.
    fileprivate static func line(_ number: Int, from end: Int) -> [UInt8] {
        [UInt8(number), UInt8(end)] + [UInt8](repeating: 7, count: 498)
    }
}
