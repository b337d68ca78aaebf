import Foundation
import Testing

@testable import MeshSimulation

#if canImport(FoundationXML)
    import FoundationXML
#endif

@Suite("Pictures")
struct PictureTests {
    /// The contents of a picture, as an XML parser reads them.
    private final class Reading: NSObject, XMLParserDelegate {
        var classes: [String: [String]] = [:]
        var texts: [String: [String]] = [:]
        private var open: [String] = []
        private var text = ""

        init(_ svg: String) throws {
            super.init()
            let parser = XMLParser(data: Data(svg.utf8))
            parser.delegate = self
            guard parser.parse() else { throw parser.parserError ?? CocoaError(.fileReadCorruptFile) }
        }

        func parser(
            _ parser: XMLParser,
            didStartElement name: String,
            namespaceURI: String?,
            qualifiedName: String?,
            attributes: [String: String]
        ) {
            open.append(name)
            text = ""
            classes[name, default: []].append(attributes["class"] ?? "")
        }

        func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

        func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
            texts[open.suffix(2).joined(separator: "/"), default: []].append(text)
            open.removeLast()
        }
    }

    @Test("A picture is XML with one circle for each node", arguments: NamedScenario.overLinks, [5, 23])
    func circles(name: NamedScenario, nodes: Int) throws {
        var settings = ScenarioSettings()
        settings.nodeCount = nodes
        settings.messageCount = 1
        var scenario = try name.scenario(settings)
        // The test keeps only part of the spam, to save time.
        for index in scenario.events.indices where scenario.events[index].isSpam {
            scenario.events[index].change = .spam(Spam(from: nodes - 1, perSecond: 100, for: .milliseconds(50)))
        }
        let result = scenario.run()
        let svg = result.picture().svg
        let reading = try Reading(svg)
        #expect(reading.classes["circle"]?.count == nodes)
        #expect(reading.classes["circle"]?.count { $0 == "origin" } == 1)
        #expect(reading.classes["polygon"]?.count { $0 == "star" } == 2)
        #expect(reading.classes["circle"]?.count { $0 == "off" } == result.crashedHosts.count)
        #expect(reading.texts["svg/title"]?.first?.hasPrefix("\(name): \(nodes) nodes") == true)
        #expect(reading.texts["svg/desc"]?.first?.contains("milliseconds") == true)
        #expect(svg == scenario.run().picture().svg)
    }

    @Test("Text from outside is text in the picture, whatever it holds")
    func escaping() throws {
        let name = "</title><script>x()</script> & \"quotes\" 'more' \u{1}\u{FFFF}\n語🙂"
        var picture = MeshPicture(
            title: name,
            caption: name,
            places: [Place(x: 0, y: 0)],
            links: [],
            marks: [.missed]
        )
        let reading = try Reading(picture.svg)
        let shown = "</title><script>x()</script> & \"quotes\" 'more' \u{FFFD}\u{FFFD} 語🙂"
        #expect(reading.texts["svg/title"] == [shown])
        #expect(reading.texts["svg/text"]?.prefix(2) == [shown, shown])
        #expect(reading.classes["script"] == nil)
        picture.title = "plain"
        #expect(try Reading(picture.svg).texts["svg/title"] == ["plain"])
    }

    @Test("A mesh of no hosts, of one, and of many in one place still make a picture")
    func degenerate() throws {
        for count in [0, 1, 50] {
            let picture = MeshPicture(
                title: "t",
                caption: "c",
                places: Array(repeating: Place(x: 3, y: 3), count: count),
                links: [],
                marks: Array(repeating: .reached(after: .zero), count: count)
            )
            #expect(try Reading(picture.svg).classes["circle"]?.count ?? 0 == count)
            #expect(!picture.svg.contains("nan") && !picture.svg.contains("inf"))
        }
    }

    @Test("Colours follow time: as many hosts in each, bounds that are easy to read, no host beyond the last")
    func scale() {
        let times = (1...800).map { Duration.microseconds($0 * 101) }
        let scale = PictureScale(times)
        #expect(scale.bounds == [11, 21, 31, 41, 51, 61, 71, 81].map { .milliseconds($0) })
        #expect(scale.colour(of: .microseconds(101)) == 0)
        #expect(scale.colour(of: .milliseconds(11)) == 0)
        #expect(scale.colour(of: .microseconds(11_001)) == 1)
        #expect(scale.colour(of: .microseconds(80_800)) == 7)
        #expect(PictureScale([]).bounds == [])
        let two = PictureScale([.milliseconds(5), .milliseconds(5), .milliseconds(5), .seconds(700)])
        #expect(two.bounds == [.milliseconds(5), .seconds(700)])
        #expect(two.colour(of: .milliseconds(1)) == 0 && two.colour(of: .seconds(9)) == 7)
    }

    @Test("Text stands out from its ground, and steps of time have rising or falling lightness")
    func contrast() {
        for colours in [PictureStyle.light, PictureStyle.dark] {
            let ground = lightness(colours.ground)
            for ink in [colours.ink, colours.secondInk, colours.accent] {
                let pair = [ground, lightness(ink)].sorted()
                #expect((pair[1] + 0.05) / (pair[0] + 0.05) >= 4.5)
            }
            let steps = colours.steps.map(lightness)
            #expect(steps.count == PictureScale.stepLimit)
            #expect(steps == steps.sorted() || steps == steps.sorted(by: >))
        }
    }

    /// Computes the relative luminance of a colour, as the Web Content Accessibility Guidelines define it.
    private func lightness(_ colour: String) -> Double {
        let value = Int(colour.dropFirst(), radix: 16) ?? 0
        let parts = [16, 8, 0].map { shift -> Double in
            let part = Double(value >> shift & 0xFF) / 255
            return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    }

    @Test("Where a shape has no places, hosts stand around the best linked one, each apart from the others")
    func layers() {
        let overlay = SimOverlay(hostCount: 8, links: [(3, 0), (3, 1), (3, 2), (2, 4), (4, 5), (6, 7)])
        let places = [Place].layers(of: overlay)
        func distance(_ host: Int, _ other: Int) -> Double {
            let (x, y) = (places[host].x - places[other].x, places[host].y - places[other].y)
            return ((x * x + y * y).squareRoot() * 10).rounded() / 10
        }
        #expect([0, 1, 2, 4, 5].map { distance(3, $0) } == [1, 1, 1, 2, 3])
        #expect(distance(6, 7) == 1)
        for host in 0..<8 {
            for other in 0..<host { #expect(distance(host, other) > 0.5) }
        }
        let scenario = Scenario("own", Topology(hostCount: 3, segments: [[0, 1], [1, 2]]))
        #expect(scenario.run().picture().places.count == 3)
    }

    @Test("Numbers have a tenth where there is one, and commas between thousands")
    func numbers() {
        #expect([0, 1, 2.25, -2.25, 99.96].map(PictureText.number) == ["0", "1", "2.3", "-2.3", "100"])
        #expect([0, 999, 1_000, 1_234_567].map(PictureText.grouped) == ["0", "999", "1,000", "1,234,567"])
        let spans: [Duration] = [.microseconds(4_780), .milliseconds(123), .seconds(600)]
        #expect(spans.map(PictureText.milliseconds) == ["4.8", "123", "600,000"])
        #expect([1, 2].map { PictureText.count($0, "link") } == ["1 link", "2 links"])
    }
}
