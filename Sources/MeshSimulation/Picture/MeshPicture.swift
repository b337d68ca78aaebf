/// A picture of a mesh: its hosts, their links, and when each host got one message.
///
/// It is a file of its own, in light and dark, that asks for nothing else. Equal pictures are equal bytes.
public struct MeshPicture: Sendable, Equatable {
    /// What became of a host.
    public enum Mark: Sendable, Equatable {
        /// The host that wrote the message.
        case origin
        /// The message came so long after it was written, or after there was a way.
        case reached(after: Duration)
        /// The message never came.
        case missed
        /// The host was switched off.
        case off
        /// The host sent spam; whether the message came to it is not shown.
        case spammer
    }

    /// A link between two hosts.
    public struct Link: Sendable, Equatable {
        /// One end.
        public let host: Int
        /// The other end.
        public let other: Int
        /// Whether it was made while the scenario ran.
        public let isLate: Bool

        /// Makes a link that was there at first, or was made later.
        public init(_ host: Int, _ other: Int, isLate: Bool = false) {
            self.host = host
            self.other = other
            self.isLate = isLate
        }
    }

    /// What it shows, in a few words.
    public var title: String
    /// What became of the message, in a sentence.
    public var caption: String
    /// Where each host is; the picture scales them.
    public var places: [Place]
    /// The links.
    public var links: [Link]
    /// What became of each host.
    public var marks: [Mark]

    /// Makes a picture.
    public init(title: String, caption: String, places: [Place], links: [Link], marks: [Mark]) {
        precondition(places.count == marks.count, "a mark for each host")
        precondition(
            links.allSatisfy { marks.indices.contains($0.host) && marks.indices.contains($0.other) },
            "hosts by their numbers"
        )
        self.title = title
        self.caption = caption
        self.places = places
        self.links = links
        self.marks = marks
    }

    /// The picture as a file: SVG 1.1 in UTF-8, with a title and a description for screen readers.
    public var svg: String { PictureDrawing(self).svg }
}

extension ScenarioResult {
    /// A picture of the mesh, and of when each host got one of the messages.
    ///
    /// - Parameter message: The message's place among ``messages``; without such a message nobody gets anything.
    public func picture(ofMessage message: Int = 0) -> MeshPicture {
        let shown = messages.indices.contains(message) ? messages[message] : nil
        return MeshPicture(
            title: pictureTitle,
            caption: shown.map(caption) ?? "Nothing was written.",
            places: scenario.topology.places ?? .layers(of: overlay),
            links: pictureLinks,
            marks: marks(of: shown)
        )
    }

    private var pictureTitle: String {
        let hostCount = scenario.topology.hostCount
        var parts = [PictureText.count(hostCount, "node"), PictureText.count(overlay.linkCount, "link")]
        if scenario.loss > 0 { parts.append("\(PictureText.number(scenario.loss * 100)) % loss") }
        return "\(scenario.name): \(parts.joined(separator: ", "))"
    }

    private func caption(of message: MessageResult) -> String {
        let due = message.arrivals.count + message.missedHosts.count
        let numbers = [message.arrivals.count, due].map(PictureText.grouped)
        let came = "A message of host \(message.author) came to \(numbers[0]) of the \(numbers[1]) hosts it could"
        guard let last = message.arrivals.map(\.latency).max() else { return came + " get to." }
        let isLate = message.arrivals.contains { $0.latency != $0.after }
        let since = isLate ? " once links led to it" : ""
        return "\(came) get to, to the last after \(PictureText.milliseconds(last)) ms\(since)."
    }

    private var pictureLinks: [MeshPicture.Link] {
        let first = overlay.neighbours.enumerated().flatMap { host, others in
            others.filter { $0 > host }.map { MeshPicture.Link(host, $0) }
        }
        let late = scenario.events.compactMap { event in
            if case .connect(let host, let other) = event.change {
                MeshPicture.Link(host, other, isLate: true)
            } else {
                nil
            }
        }
        return first + late
    }

    private func marks(of message: MessageResult?) -> [MeshPicture.Mark] {
        var marks = [MeshPicture.Mark](repeating: .missed, count: scenario.topology.hostCount)
        for arrival in message?.arrivals ?? [] { marks[arrival.host] = .reached(after: arrival.latency) }
        for host in crashedHosts { marks[host] = .off }
        for event in scenario.events {
            if case .spam(let spam) = event.change { marks[spam.from] = .spammer }
        }
        if let message { marks[message.author] = .origin }
        return marks
    }
}
