#if os(Linux)
    import Foundation
    import MeshCore
    import Testing

    @testable import GatewayCore
    @testable import MeshGateway

    /// Loads of minutes, with `EARSHOT_FAR_LONG=1` only; they print what hub and gateway used.
    @Suite(
        "Gateways under load",
        .serialized,
        .timeLimit(.minutes(30)),
        .enabled(if: ProcessInfo.processInfo.environment["EARSHOT_FAR_LONG"] != nil)
    )
    struct GatewayLoadTests {
        /// A mesh that keeps no mail, and counts what came.
        private actor Mesh: FarMesh {
            private(set) var count = 0

            func inject(_ envelopes: [Envelope]) { count += envelopes.count }
            func submitFar(kind: EnvelopeKind, body: [UInt8], life: UInt16) {}
            func noteStored(_ name: [UInt8], at hub: HubURL) {}
            func storedFar() -> [FarEnvelope] { [] }
        }

        private static func connect(_ mesh: Mesh, _ server: HubServer) async throws -> Gateway {
            let url = try await server.url()
            let gateway = Gateway(hubs: [url], authorities: server.certificate, mesh: mesh, hashes: EngineHashes.all)
            await gateway.start()
            while await gateway.status().first?.state != .live { await Task.yield() }
            return gateway
        }

        /// Writes own envelopes as fast as the gateway publishes them.
        private static func publish(_ envelopes: [Envelope], by gateway: Gateway) async {
            let batch = GatewayLimits.ownRate
            for start in stride(from: 0, to: envelopes.count, by: batch) {
                await gateway.take(
                    envelopes[start..<min(start + batch, envelopes.count)].map {
                        FarEnvelope(envelope: $0, id: EngineHashes.id($0), link: nil)
                    }
                )
                while await gateway.figures()[0].counters.published < start { await Task.yield() }
            }
            while await gateway.status()[0].waiting != 0 { await Task.yield() }
        }

        /// Returns a field of the status of a process.
        ///
        /// Units: KiB.
        private static func memory(_ field: String, of process: String) throws -> Int {
            let text = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
            let line = try #require(text.split(separator: "\n").first { $0.hasPrefix(field + ":") })
            return try #require(line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) })
        }

        /// Returns the processor time of a process.
        ///
        /// Units: seconds.
        private static func processorTime(of process: Int32) throws -> Double {
            let text = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
            let fields = try #require(text.split(separator: ")").last).split(separator: " ")
            let ticks = try (11...12).reduce(0) { $0 + (try #require(Double(fields[$1]))) }
            return ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
        }

        @Test("A gateway publishes 1,000 own envelopes a second for a minute, and all are acknowledged")
        func rate() async throws {
            let server = try HubServer()
            #expect(try await HubOperator(server).create() == .created)
            let gateway = try await Self.connect(Mesh(), server)
            var mail = EngineMail()
            let tags = (0..<1_000).map { _ in mail.tag() }
            let envelopes = (0..<60_000).map { mail.far(tags[$0 % tags.count], byteCount: 480) }
            let before = try Self.memory("VmRSS", of: "self")
            let (begin, used) = (ContinuousClock.now, try Self.processorTime(of: server.processID))
            await Self.publish(envelopes, by: gateway)
            let seconds = begin.duration(to: .now) / .seconds(1)
            let share = (try Self.processorTime(of: server.processID) - used) / seconds
            let growth = try Self.memory("VmRSS", of: "self") - before
            let counters = try #require(await gateway.figures().first?.counters)
            #expect(counters.published == envelopes.count && counters.refused == 0)
            #expect(growth < 48 << 10)
            print("rate: \(Int(60_000 / seconds))/s, hub \(Int(share * 100)) % of a core, gateway \(growth) KiB more")
            await gateway.stop()
        }

        @Test("A hub with 48 MiB keeps 100,000 mailboxes, of which a gateway catches up 6,000")
        func mailboxes() async throws {
            let server = try HubServer(environment: ["GOMEMLIMIT": "48MiB"])
            #expect(try await HubOperator(server).create() == .created)
            var mail = EngineMail()
            let tags = (0..<100_000).map { _ in mail.tag() }
            let writer = try await Self.connect(Mesh(), server)
            await Self.publish(tags.map { mail.far($0, byteCount: 480) }, by: writer)
            #expect(await writer.figures().first?.counters.published == tags.count)
            await writer.stop()
            let store = server.folder.appending(path: "store")
            let files = try #require(FileManager.default.enumerator(at: store, includingPropertiesForKeys: nil))
            let byteCount = files.compactMap { $0 as? URL }.reduce(0) { sum, file in
                sum + ((try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0)
            }
            let mesh = Mesh()
            let reader = try await Self.connect(mesh, server)
            let begin = ContinuousClock.now
            for (place, start) in stride(from: 0, to: 6_000, by: 15).enumerated() {
                let request = mail.watch(Array(tags[start..<start + 15]))
                let link = place < 130 ? nil : LinkID(UInt64(place))
                await reader.take([FarEnvelope(envelope: request, id: EngineHashes.id(request), link: link)])
            }
            while await mesh.count < 6_000 { await Task.yield() }
            let seconds = begin.duration(to: .now) / .seconds(1)
            let peak = try Self.memory("VmHWM", of: "\(server.processID)")
            let each = byteCount / tags.count
            #expect(each < 700)
            print("mailboxes: hub \(peak) KiB at most, \(each) B on disk each, 6,000 caught up in \(Int(seconds)) s")
            await reader.stop()
        }
    }
#endif
