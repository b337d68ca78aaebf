import ChatHistory
import Earshot
import Foundation
import Testing

@testable import ChatCore

/// The tests use a group of one member, because its lines are enough.
///
/// They do not cover messages of other members.
@Suite("Homes that somebody else has touched")
struct NodeRetentionTests {
    @Test("A database that was put back is told by events, status and report until it is accepted")
    func rolledBack() async throws {
        let home = try TestHome()
        try await home.open(name: "Alice") { _ = try await $0.conversations.createGroup(title: "Trees") }
        let old = try Data(contentsOf: home.file("history.sqlite"))
        try await home.open { _ = try await $0.conversations.createGroup(title: "Oaks") }
        try old.write(to: home.file("history.sqlite"))
        for _ in 0..<2 {
            try await home.open { node in
                let events = try node.events()
                #expect(try await node.conversations.all().map(\.title) == ["Trees"])
                #expect(await node.status.tamperSignCount == 1)
                let report = try await node.history.check()
                #expect(report.signs.map(\.kind) == [.rolledBack])
                #expect(report.recordCount ?? 0 > 5)
                for await case .historyTampered(let told) in events {
                    #expect(told.signs == report.signs)
                    break
                }
                try await node.identity.setProfile(Profile(emoji: "🦊"))
            }
        }
        #expect(try await home.open { try await $0.history.accept().signs } == [])
        #expect(try await home.open { try await $0.history.check().signs } == [])
    }

    @Test("Messages that were taken out are told with their conversation and number")
    func removed() async throws {
        let home = try TestHome()
        let group = try await home.open(name: "Alice") { node in
            let group = try await node.conversations.createGroup(title: "Trees").id
            _ = try await node.group(group).rename(to: "Oaks")
            return group
        }
        let store = try SQLiteStore(directory: home.directory.path)
        let rows = try store.rows(.messages, conversation: nil, after: nil, limit: 9)
        try store.apply([.delete(.messages, rows[0].id)])
        try store.close()
        try await home.open { node in
            let sign = try #require(try await node.history.report().signs.first)
            #expect((sign.kind, sign.conversation) == (.recordsChanged, .group(group)))
            #expect((sign.expected, sign.found) == (UInt64(rows.count), UInt64(rows.count - 1)))
            #expect(sign.table == "messages")
        }
    }

    @Test("Sums that were taken away are told, though a home made before there were any has none")
    func missingSums() async throws {
        let home = try TestHome()
        try await home.open(name: "Alice") { _ = try await $0.conversations.createGroup(title: "Trees") }
        let store = try SQLiteStore(directory: home.directory.path)
        let sums = try store.rows(.digests, conversation: nil, after: nil, limit: 9)
        try store.apply(sums.map { .delete(.digests, $0.id) })
        try store.close()
        try FileManager.default.removeItem(at: home.file("anchor"))
        #expect(try await home.open { try await $0.history.report().signs.map(\.kind) } == [.digestsMissing])
    }
}
