import EarshotRPC
import Testing

@testable import EarshotCLI

@Suite("What ping and map print")
struct PathTextTests {
    private static func reply(_ json: String) throws -> PingCall.Reply {
        try RPCCoding.decode(PingCall.Reply.self, from: Array(json.utf8))
    }

    @Test("Answers and losses are summed up, in the order asked")
    func summary() throws {
        var result = PingResult()
        let places = (0..<3).map { _ in result.begin() }
        result.note(try Self.reply(#"{"peer":"b2","hops":3,"rtt":0.0151}"#), at: places[2])
        result.note(try Self.reply(#"{"peer":"b2","hops":2,"rtt":0.004}"#), at: places[0])
        #expect(
            result.summary == [
                "3 sent, 2 answered, 1 lost (33.3 %)",
                "round trip 4.00 ms / 4.00 ms / 15.1 ms / 15.1 ms (minimum, median, 99 of 100, maximum)",
            ]
        )
        let loss = #""loss":0.3333333333333333,"lost":1"#
        let times = #""max":0.0151,"median":0.004,"min":0.004,"p99":0.0151"#
        #expect(
            String(decoding: try RPCCoding.encode(result), as: UTF8.self)
                == #"{"answered":2,"answers":[{"hops":2,"rtt":0.004},null,{"hops":3,"rtt":0.0151}],"avg":0.00955,\#(loss),\#(times),"peer":"b2","sent":3}"#
        )
    }

    @Test("Of a hundred times the slowest stands alone at the end")
    func percentile() throws {
        var result = PingResult()
        for number in (1...100).reversed() {
            let reply = try Self.reply(#"{"peer":"b2","hops":1,"rtt":\#(Double(number) / 1_000)}"#)
            result.note(reply, at: result.begin())
        }
        #expect(
            result.summary == [
                "100 sent, 100 answered, 0 lost (0 %)",
                "round trip 1.00 ms / 50.0 ms / 99.0 ms / 100 ms (minimum, median, 99 of 100, maximum)",
            ]
        )
    }

    @Test("Where nothing came there are no times")
    func silence() {
        var result = PingResult()
        _ = result.begin()
        #expect(result.summary == ["1 sent, 0 answered, 1 lost (100 %)"])
    }

    @Test("A map stands in columns")
    func map() throws {
        let json = #"""
            {"node":"00aa","links":[
              {"node":"00bb","address":"10.0.0.2:4000","rtt":0.0004,"uptime":190.5,"peer":"b2"},
              {"node":"00dd","address":"10.0.0.13:50000","uptime":1}],
            "neighbours":[{"node":"00cc","address":"10.0.0.9:1","linked":false}],
            "contacts":[
              {"id":"b2","name":"Bob","trust":"verified","fingerprint":"","reachable":true,"hops":1,"rtt":0.25},
              {"id":"c3","name":"Ödön","trust":"tofu","fingerprint":"","reachable":false}]}
            """#
        let map = try RPCCoding.decode(MapReply.self, from: Array(json.utf8))
        #expect(
            MapText.lines(map) == [
                "The present id of this node is 00aa.",
                "",
                "LINK TO  ADDRESS          RTT      UP     CONTACT",
                "00bb     10.0.0.2:4000    0.40 ms  3 min  Bob",
                "00dd     10.0.0.13:50000  -        1 s",
                "",
                "HEARD  ADDRESS     LINK  CONTACT",
                "00cc   10.0.0.9:1  no",
                "",
                "NAME  TRUST         HOPS  RTT",
                "Bob   verified      1     250 ms",
                "Ödön  not verified  -     -",
            ]
        )
    }

    @Test("Of a contact with a new identity, peers and map show the old one as replaced")
    func replaced() throws {
        let json = #"""
            {"node":"00aa","links":[],"neighbours":[],"contacts":[
              {"id":"b2","name":"Rita","trust":"tofu","successor":"c3","fingerprint":"","reachable":false},
              {"id":"c3","name":"Rita","trust":"tofu","fingerprint":"","reachable":true,"hops":1},
              {"id":"d4","name":"Bob","trust":"changed","successor":"e5","fingerprint":"","reachable":false}]}
            """#
        let map = try RPCCoding.decode(MapReply.self, from: Array(json.utf8))
        #expect(
            ContactTable.lines(map.contacts) == [
                "NAME  TRUST         PRESENCE       HOPS  PEER ID",
                "Rita  replaced      not heard yet  -     b2",
                "Rita  not verified  in reach       1     c3",
                "Bob   changed       not heard yet  -     d4",
            ]
        )
        #expect(MapText.lines(map).suffix(3).first == "Rita  replaced      -     -")
    }

    @Test("Peers tell of everybody who is called like a contact, until the user has decided")
    func claims() throws {
        let json = #"""
            {"node":"00aa","links":[],"neighbours":[],"contacts":[
              {"id":"b2b2b2b2b2","name":"Bob","trust":"changed","claimants":["c3c3c3c3c3","d4"],"fingerprint":"","reachable":false},
              {"id":"c3c3c3c3c3","name":"B0b","trust":"unknown","fingerprint":"","reachable":false}]}
            """#
        let contacts = try RPCCoding.decode(MapReply.self, from: Array(json.utf8)).contacts
        #expect(
            ContactTable.lines(contacts).suffix(2) == [
                "B0b (c3c3c3c3) has the same name as Bob (b2b2b2b2) but is another identity: compare with `verify` before you trust it.",
                "d4 has the same name as Bob (b2b2b2b2) but is another identity: compare with `verify` before you trust it.",
            ]
        )
        #expect(ClaimText.line(of: "c3c3c3c3c3", among: contacts)?.hasPrefix("B0b") == true)
        #expect(ClaimText.line(of: "b2b2b2b2b2", among: contacts) == nil)
    }

    @Test("An empty map says so")
    func emptyMap() throws {
        let json = #"{"node":"00aa","links":[],"neighbours":[],"contacts":[]}"#
        let map = try RPCCoding.decode(MapReply.self, from: Array(json.utf8))
        #expect(
            MapText.lines(map) == [
                "The present id of this node is 00aa.", "", "No links.", "", "No nodes are discovered.", "",
                "No contacts are known yet.",
            ]
        )
    }
}
