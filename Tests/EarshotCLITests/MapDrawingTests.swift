import EarshotRPC
import Foundation
import Testing

@testable import EarshotCLI

#if canImport(FoundationXML)
    import FoundationXML
#endif

@Suite("The map as a picture")
struct MapDrawingTests {
    private static func contact(_ id: String, _ name: String, _ more: String = "") -> String {
        #"{"id":"\#(id)","name":"\#(name)","trust":"tofu","fingerprint":"","reachable":true\#(more)}"#
    }

    private static func map(_ links: String, _ neighbours: String, _ contacts: [String]) throws -> MapReply {
        let people = contacts.joined(separator: ",")
        let json = #"{"node":"00aa","links":[\#(links)],"neighbours":[\#(neighbours)],"contacts":[\#(people)]}"#
        return try RPCCoding.decode(MapReply.self, from: Array(json.utf8))
    }

    /// The texts and circles of a picture, read by an XML parser.
    private final class Elements: NSObject, XMLParserDelegate {
        var texts: [String] = []
        var classes: [String] = []
        var names: Set<String> = []
        private var isText = false

        init(_ svg: String) throws {
            super.init()
            let parser = XMLParser(data: Data(svg.utf8))
            parser.delegate = self
            try #require(parser.parse(), "\(String(describing: parser.parserError))")
        }

        func parser(
            _ parser: XMLParser,
            didStartElement name: String,
            namespaceURI: String?,
            qualifiedName: String?,
            attributes: [String: String]
        ) {
            names.insert(name)
            isText = name == "text"
            if isText { texts.append("") }
            if name == "circle", let kind = attributes["class"] { classes.append(kind) }
        }

        func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
            isText = false
        }

        func parser(_ parser: XMLParser, foundCharacters text: String) {
            if isText { texts[texts.count - 1] += text }
        }
    }

    private static let links = [
        #"{"node":"00bb","address":"10.0.0.2:4000","rtt":0.0004,"uptime":190.5,"peer":"b2"}"#,
        #"{"node":"00dd00dd00dd00dd","address":"10.0.0.13:50000","uptime":1}"#,
    ]
    private static let neighbours = """
        {"node":"00bb","address":"10.0.0.2:4000","linked":true,"peer":"b2"},
        {"node":"00cc","address":"10.0.0.9:1","linked":false},{"node":"00cc","address":"[fe80::9]:1","linked":false}
        """

    @Test("Links, nodes that are heard and distant contacts are each there once, and the caption counts them")
    func spots() throws {
        let contacts = [
            Self.contact("b2", "Bob", #","hops":1,"rtt":0.0004"#),
            Self.contact("c3", "Carol", #","hops":3,"rtt":0.015"#),
            Self.contact("d4", "Dave", #","hops":40"#), Self.contact("e5", "Eve"),
        ]
        let map = try Self.map(Self.links.joined(separator: ","), Self.neighbours, contacts)
        let svg = MapDrawing(map).lines.joined(separator: "\n")
        let elements = try Elements(svg)
        #expect(
            elements.texts == [
                "You", "00cc", "00dd00dd", "Bob", "0.40 ms", "Carol", "3 hops, 15.0 ms", "Dave", "40 hops",
                "2 links, 1 node heard without a link, 2 contacts farther away, 1 contact at an unknown distance.",
            ]
        )
        #expect(elements.classes == ["own", "heard", "link", "link", "path", "path"])
        // The order of the parts of the map changes nothing.
        let turned = try Self.map(
            Self.links.reversed().joined(separator: ","),
            Self.neighbours,
            contacts.reversed()
        )
        #expect(MapDrawing(turned).lines.joined(separator: "\n") == svg)
    }

    @Test(
        "Names are text and nothing else, whatever their characters",
        arguments: ["<script>alert(1)</script>", "a & b", "]]>", "\u{202E}evil", "\\u0001\\u001b[2J", "\u{FFFF}"]
    )
    func escaping(name: String) throws {
        let map = try Self.map("", "", [Self.contact("b2", name, #","hops":2"#)])
        let elements = try Elements(MapDrawing(map).lines.joined(separator: "\n"))
        #expect(elements.names == ["svg", "title", "desc", "style", "rect", "path", "circle", "text"])
        let shown = DisplayText.safe(map.contacts[0].name).replacing("\u{FFFF}", with: "\u{FFFD}")
        #expect(elements.texts.dropFirst().first == shown)
    }

    @Test("A map of nothing is a picture of this node; one of many nodes stays whole")
    func extremes() throws {
        let empty = try Elements(MapDrawing(try Self.map("", "", [])).lines.joined(separator: "\n"))
        #expect(empty.texts.count == 2 && empty.classes == ["own"])
        let people = (0..<500).map { Self.contact("\($0)", "Person \($0)", #","hops":\#($0 % 9 + 1)"#) }
        let many = try Elements(MapDrawing(try Self.map("", "", people)).lines.joined(separator: "\n"))
        #expect(many.classes.count == 501)
    }
}
