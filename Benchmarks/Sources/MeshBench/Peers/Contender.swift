/// Something that the command measures: a peer, or Earshot in one of its forms.
protocol Contender: Sendable {
    var sheet: ContenderSheet { get }

    /// The parts that it has.
    var parts: [PeerPart] { get }

    /// Measures a part with fresh processes.
    func measure(_ part: PeerPart, _ work: PeerWork) async throws -> [PeerFigure: Double]
}

/// A part of the measurement, with processes of its own.
enum PeerPart: String, Sendable, CaseIterable {
    /// The first message, round trips, messages and a file between two processes.
    case pair
    /// Messages to all receivers of a group.
    case group
    case idle
}

/// The amount of work, the same for everybody.
struct PeerWork: Codable, Sendable {
    let seconds: Int
    let roundTrips: Int
    let megabytes: Int
    let idleSeconds: Int
    let receivers: Int
}

/// The description of a contender.
struct ContenderSheet: Codable, Sendable {
    let name: String
    let version: String
    /// The form of Earshot that does the nearest to the same.
    let beside: EarshotForm
    let traits: [PeerTrait: String]
    /// The way in which a message counts as confirmed.
    let confirmation: String
}

/// A property that people choose by, besides speed.
enum PeerTrait: String, Codable, CodingKeyRepresentable, CaseIterable, Sendable {
    case encrypts
    case stores
    case confirms
    case serverless
    case relays

    /// The head of its column.
    var title: String {
        switch self {
        case .encrypts: "encrypts end to end"
        case .stores: "stores"
        case .confirms: "confirms"
        case .serverless: "works without a server"
        case .relays: "relays"
        }
    }
}
