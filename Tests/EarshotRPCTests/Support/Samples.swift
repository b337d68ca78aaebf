import ChatCrypto
import Foundation
import Testing

@testable import ChatCore
@testable import Earshot

/// The values that all tests share.
enum Samples {
    static let aliceHex = String(repeating: "a1", count: 32)
    static let bobHex = String(repeating: "b2", count: 32)
    static let messageHex = String(repeating: "0c", count: 16)
    static let identity = PublicIdentity(
        signingKey: [UInt8](repeating: 1, count: 32),
        agreementKey: [UInt8](repeating: 2, count: 32)
    )
    static let otherIdentity = PublicIdentity(
        signingKey: [UInt8](repeating: 3, count: 32),
        agreementKey: [UInt8](repeating: 4, count: 32)
    )
    static let fingerprint = identity?.fingerprint().description ?? ""
    static let number = String(repeating: "0123456789", count: 6)

    static let metrics = [
        Metric("mesh_neighbours", .gauge, "Nodes heard.", 3),
        Metric("mesh_drops_total", .counter, "Drops.", by: "reason", [.init("late", 4), .init("odd", 0)]),
    ]

    static func alice() throws -> PeerID { try #require(PeerID(hex: aliceHex)) }
    static func bob() throws -> PeerID { try #require(PeerID(hex: bobHex)) }

    static func contact(_ name: String = "Bob", _ trust: TrustState = .tofu, id: PeerID? = nil) throws -> Contact {
        Contact(
            id: try id ?? bob(),
            name: name,
            trust: trust,
            identity: try #require(identity),
            isReachable: true,
            lastSeenTime: Timestamp(clamping: 1_700_000_000_123),
            hops: 2,
            roundTrip: .milliseconds(5),
            profile: Profile(emoji: "🐻", colour: .blue),
            hubs: ["tls://hub.example.org"]
        )
    }

    static func signs() throws(ChatError) -> [HistoryReport.Sign] {
        [
            HistoryReport.Sign(
                kind: .recordsChanged,
                conversation: PeerID(hex: bobHex).map { .direct($0) },
                table: "messages",
                expected: 3,
                found: 2
            ),
            HistoryReport.Sign(kind: .rolledBack, conversation: nil, table: nil, expected: 7, found: 5),
        ]
    }

    static let signsJSON =
        #"[{"conversation":"\#(bobHex)","expected":3,"found":2,"kind":"recordsChanged","table":"messages"},{"expected":7,"found":5,"kind":"rolledBack"}]"#

    static func conversation() throws -> Conversation {
        Conversation(
            id: .direct(try bob()),
            title: "Bob",
            members: [try bob()],
            unreadCount: 0,
            last: nil,
            isRequest: false,
            muteEnd: Timestamp(clamping: 1_700_000_000_000)
        )
    }

    static let groupHex = String(repeating: "d3", count: 16)

    static func group(of members: [Contact]) throws -> ChatGroup {
        let people = members.map { ChatGroup.Member(id: $0.id, name: $0.name, isLeaving: false) }
        return ChatGroup(
            id: try #require(GroupID(bytes: [UInt8](repeating: 0xD3, count: 16))),
            title: "Trees",
            members: people,
            owner: people.first?.id,
            membershipStatus: .member,
            invitedBy: nil,
            epoch: 4,
            isFrozen: false,
            history: .last(50)
        )
    }

    /// Makes a room that this node hosts, with a pending join request.
    static func room(of members: [Contact]) throws -> Room {
        Room(
            id: try #require(GroupID(bytes: [UInt8](repeating: 0xD3, count: 16))),
            title: "Trees",
            role: .host,
            members: members.map { ChatGroup.Member(id: $0.id, name: $0.name, isLeaving: false) },
            host: try alice(),
            admission: .approval,
            ownID: try alice(),
            nickname: "Alice",
            endTime: nil,
            isEphemeral: true,
            maximumMembers: 8,
            admissionState: Room.AdmissionState(
                admission: .approval,
                code: "47-482913",
                invite: nil,
                isAdmissionClosed: false,
                waiting: [Room.Applicant(id: try alice(), name: "Al")]
            )
        )
    }

    static func map(of contacts: [Contact]) -> MeshMap {
        MeshMap(
            node: "00000000000000aa",
            links: [
                MeshMap.Link(
                    node: "00000000000000bb",
                    address: "10.0.0.2:4000",
                    roundTrip: .microseconds(400),
                    uptime: .seconds(90),
                    peer: contacts.first?.id
                )
            ],
            neighbours: [
                MeshMap.Neighbour(node: "00000000000000cc", address: "[fe80::2]:4000", isLinked: false, peer: nil)
            ],
            contacts: contacts
        )
    }

    static func message(
        _ text: String = "Hello",
        id: String = messageHex,
        files: [MessageFile] = [],
        status: DeliveryStatus = .queued
    ) throws -> Message {
        Message(
            id: try #require(MessageID(hex: id)),
            conversation: .direct(try bob()),
            sender: try alice(),
            senderName: "Alice",
            text: text,
            files: files,
            sentTime: Timestamp(clamping: 1_700_000_000_000),
            receivedTime: Timestamp(clamping: 1_700_000_001_500),
            isOutgoing: true,
            isRequest: false,
            status: status
        )
    }

    static func status() throws -> NodeStatus {
        var status = NodeStatus(
            id: try alice(),
            name: "Alice",
            fingerprint: fingerprint,
            version: "0.1.0",
            uptime: .milliseconds(12_345),
            linkCount: 1,
            neighbourCount: 2,
            contactCount: 3,
            outboxCount: 4,
            carriedCount: 5
        )
        (status.mediaByteCount, status.mediaByteLimit) = (6, 7)
        return status
    }
}
