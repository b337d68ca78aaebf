import Foundation
import GatewayCore
import Testing

@testable import MeshSimulation

@Suite("The model of a hub")
struct SimHubTests {
    private var hub = SimHub()
    private var date = Date(timeIntervalSince1970: 1_000)
    private static let subject = "e.a.ab"

    init() {
        #expect(hub.connect(0) && hub.connect(1))
    }

    private mutating func take(_ request: HubRequest, from gateway: Int = 0) -> [SimHub.Message] {
        hub.take(request, from: gateway, date: date)
    }

    private mutating func publish(_ bytes: [UInt8], id: String?, from gateway: Int = 0) -> [SimHub.Message] {
        take(.publish(subject: Self.subject, body: bytes, id: id, number: 7), from: gateway)
    }

    private mutating func ask(_ subject: String, _ body: String = "") throws -> HubAnswer {
        let messages = take(.publish(subject: subject, body: Array(body.utf8), id: nil, number: 9))
        guard case .answer(9, let answer) = try #require(messages.first).event, messages.count == 1 else {
            return HubAnswer(status: 0, body: [])
        }
        return answer
    }

    private static func text(_ messages: [SimHub.Message]) -> [String] {
        messages.map { message in
            switch message.event {
            case .mail(let subject, let body): "\(message.gateway) \(subject) \(body)"
            case .answer(let number, let answer):
                "\(message.gateway) \(number) \(String(decoding: answer.body, as: UTF8.self))"
            case .timeUp, .closed: "?"
            }
        }
    }

    @Test("It confirms mail by number, passes it on to subscriptions, and keeps what came twice once")
    mutating func publishing() {
        _ = take(.subscribe(Self.subject), from: 1)
        let kept = #"0 7 {"stream":"MAIL","seq":1}"#
        #expect(Self.text(publish([1], id: "x")) == ["1 e.a.ab [1]", kept])
        _ = take(.unsubscribe(Self.subject), from: 1)
        #expect(Self.text(publish([1], id: "x")) == [#"0 7 {"stream":"MAIL","seq":1,"duplicate":true}"#])
        #expect(Self.text(publish([2], id: "y")) == [#"0 7 {"stream":"MAIL","seq":2}"#])
        date += 300
        #expect(Self.text(publish([1], id: "x")) == [#"0 7 {"stream":"MAIL","seq":3}"#])
        #expect(hub.keptMail.map(\.body) == [[1], [2], [1]])
        #expect(hub.publications.map(\.isDuplicate) == [false, true, false, false])
    }

    @Test("It gives back the last and the next mail of a subject, or says that there is none")
    mutating func questions() throws {
        for number in 1...3 { _ = publish([UInt8(number)], id: "\(number)") }
        let last = try ask("last.a.ab")
        #expect(last.sequence == 3 && last.body == [3] && last.subject == Self.subject && last.status == nil)
        #expect(last.storedAt == "1970-01-01T00:16:40Z")
        let next = try ask("next", #"{"seq":2,"next_by_subj":"e.a.ab"}"#)
        #expect(next.sequence == 2 && next.body == [2])
        #expect(try ask("next", #"{"seq":4,"next_by_subj":"e.a.ab"}"#).status == 404)
        #expect(try ask("last.b.bc").status == 404)
        #expect(try ask("next", "{").status == 400)
        #expect(take(.publish(subject: "$JS.API.INFO", body: [], id: nil, number: 1)).isEmpty)
    }

    @Test("It takes nothing while it is gone, forgets connections, and perhaps its mail", arguments: [false, true])
    mutating func outage(losesMail: Bool) throws {
        _ = publish([1], id: "x")
        hub.stop()
        #expect(!hub.connect(0) && publish([2], id: "y").isEmpty)
        hub.start(losesMail: losesMail)
        #expect(publish([2], id: "y").isEmpty && hub.keptMail.count == (losesMail ? 0 : 1))
        #expect(hub.connect(0) && Self.text(publish([1], id: "x")).count == 1)
        #expect(hub.publications.map(\.isRepeated) == [false, true])
        #expect(hub.publications.map(\.isDuplicate) == [false, !losesMail])
        hub.disconnect(0)
        #expect(publish([3], id: "z").isEmpty)
    }
}
