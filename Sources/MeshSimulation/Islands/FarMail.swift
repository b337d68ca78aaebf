import MeshCore

/// The envelopes of kind FAR that hosts of two islands write to each other, with what chat sends for each.
///
/// A reader confirms a message with the delivery proof in its own island, and a message from the other island also with
/// a receipt of kind FAR. The author answers a receipt with both delivery proofs in its own island. Every other message
/// from the other island is confirmed at once, the rest after a time in which a gateway that publishes fetched mail
/// would show it. Source: PROTOCOL §20.
struct FarMail: Sendable {
    private let plan: IslandPlan
    /// The messages and receipts, in the order of writing.
    private(set) var posts: [FarPost] = []
    private var numbers: [EnvelopeID: Int] = [:]
    /// The delivery proofs that hosts of both islands write, each in its own.
    private(set) var proofs: Set<EnvelopeID> = []
    private var confirmations: [(at: MeshInstant, number: Int)] = []

    init(_ plan: IslandPlan) { self.plan = plan }

    /// The messages and receipts for readers of the other island.
    var asked: [FarPost] { posts.filter(isAcross) }

    /// Returns whether author and reader are in different islands.
    func isAcross(_ post: FarPost) -> Bool { plan.island(of: post.author) != plan.island(of: post.reader) }

    private func isMessageAcross(_ post: FarPost) -> Bool { isAcross(post) && post.confirmed == nil }

    /// Has all readers ask for the mail of their mailboxes, those for receipts included.
    mutating func watch(_ messages: [ScenarioMessage], seed: UInt64, in net: inout SimNet) {
        var random = SplitMix64(seed: seed)
        var tags: [Int: [[UInt8]]] = [:]
        func add(from author: Int, to reader: Int) {
            let tag = FarPost.tag(from: author, to: reader)
            if tags[reader]?.contains(tag) != true { tags[reader, default: []].append(tag) }
        }
        for message in messages where message.kind == .far {
            for reader in message.recipients {
                add(from: message.author, to: reader)
                if plan.island(of: message.author) != plan.island(of: reader) { add(from: reader, to: message.author) }
            }
        }
        for (reader, own) in tags.sorted(by: { $0.key < $1.key }) {
            for start in stride(from: 0, to: own.count, by: Self.tagCount) {
                let asked = own[start..<min(start + Self.tagCount, own.count)]
                let rest = (asked.count..<Self.tagCount).flatMap { _ in Self.randomBytes(16, &random) }
                // The first of the last bytes is even: the mailboxes are watched from now on.
                let body = asked.flatMap(\.self) + rest + [0] + Self.randomBytes(11, &random)
                net.submit(.watch, body: body, life: Self.watchLife, from: reader)
            }
        }
    }

    /// Writes a message.
    mutating func write(_ message: ScenarioMessage, in net: inout SimNet) {
        for reader in message.recipients { post(from: message.author, to: reader, confirming: nil, &net) }
    }

    /// Notes an arrival, and answers it as its host would.
    mutating func take(_ delivery: SimWatch.Delivery, in net: inout SimNet) {
        guard let number = numbers[delivery.id], delivery.host == posts[number].reader else { return }
        posts[number].arrivals.append(delivery.time)
        guard posts[number].arrivals.count == 1 else { return }
        let isSlow = isMessageAcross(posts[number]) && posts[..<number].count(where: isMessageAcross) % 2 == 0
        confirmations.append((net.now.advanced(by: isSlow ? Self.slowness : .zero), number))
    }

    /// Confirms what is due.
    mutating func confirm(in net: inout SimNet) {
        let due = confirmations.filter { $0.at <= net.now }
        guard !due.isEmpty else { return }
        confirmations.removeAll { $0.at <= net.now }
        for (_, number) in due {
            let post = posts[number]
            net.submit(.release, body: post.deliveryProof, life: Self.life, from: post.reader)
            if let message = post.confirmed {
                let proof = posts[message].deliveryProof
                if let id = net.submit(.release, body: proof, life: Self.life, from: post.reader) { proofs.insert(id) }
            } else if isAcross(post) {
                self.post(from: post.reader, to: post.author, confirming: number, &net)
            }
        }
    }

    private mutating func post(from author: Int, to reader: Int, confirming message: Int?, _ net: inout SimNet) {
        guard net.hosts[author].isOn else { return }
        let post = FarPost(
            number: posts.count,
            author: author,
            reader: reader,
            confirmed: message,
            writtenAt: net.now
        )
        numbers[post.id] = posts.count
        posts.append(post)
        net.submit(.far, body: post.body, life: Envelope.maximumLife, from: author)
    }

    private static func randomBytes(_ count: Int, _ random: inout SplitMix64) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    }

    /// The mailboxes of one request.
    private static let tagCount = 15
    /// The time after which a slow reader confirms: longer than an envelope for a watched mailbox waits at a gateway.
    private static let slowness = Duration.seconds(45)
    /// Units: ticks of 10 s.
    private static let (life, watchLife): (UInt16, UInt16) = (360, 120)
}
