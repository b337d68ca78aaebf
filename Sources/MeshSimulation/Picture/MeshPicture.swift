/// A picture of a mesh: its hosts, their links, and the time at which each host received one message.
///
/// The picture is a self-contained file with a light and a dark variant. Equal pictures are equal bytes.
public struct MeshPicture: Sendable, Equatable {
    /// The outcome at a host.
    public enum Mark: Sendable, Equatable {
        /// The host that wrote the message.
        case origin
        /// The message arrived this long after it was written, or after a path of links existed.
        case reached(after: Duration)
        /// The message never arrived.
        case missed
        /// The host was switched off.
        case off
        /// The host sent spam.
        ///
        /// The picture does not show whether it received the message.
        case spammer
    }

    /// A link between two hosts.
    public struct Link: Sendable, Equatable {
        /// One end.
        public let host: Int
        /// The other end.
        public let other: Int
        /// Whether the link was made while the scenario ran.
        public let isLate: Bool

        /// Creates a link that existed at the start or was made later.
        public init(_ host: Int, _ other: Int, isLate: Bool = false) {
            self.host = host
            self.other = other
            self.isLate = isLate
        }
    }

    /// The title, in a few words.
    public var title: String
    /// The outcome of the message, in one sentence.
    public var caption: String
    /// The position of each host.
    ///
    /// The picture scales the positions.
    public var places: [Place]
    /// The links.
    public var links: [Link]
    /// The outcome at each host.
    public var marks: [Mark]

    /// Creates a picture.
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
    /// Draws the mesh, and the time at which each host received one of the messages.
    ///
    /// - Parameter message: The message's index in ``messages``. If there is no such message, no host has received
    ///   anything.
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
        let came = "A message of host \(message.author) reached \(numbers[0]) of the \(numbers[1]) hosts it could"
        guard let last = message.arrivals.map(\.latency).max() else { return came + " reach." }
        let isLate = message.arrivals.contains { $0.latency != $0.after }
        let since = isLate ? " once links led to it" : ""
        return "\(came) reach, the last after \(PictureText.milliseconds(last)) ms\(since)."
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
