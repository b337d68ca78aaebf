import Testing

@testable import ChatCrypto

@Suite("Proposals of admins")
struct GroupProposalTests {
    private let circle: GroupCircle
    private let ids: [PeerID]

    init() throws {
        var circle = try GroupCircle(5)
        let policy = try #require(GroupPolicy.standard.with(admins: [1, 2]))
        try circle.perform([.policy(policy)])
        self.circle = circle
        ids = circle.identities.map(\.publicIdentity.id)
    }

    private var log: MembershipLog { circle.sessions[0].log }

    private static func newMember() -> GroupMember { GroupMember(identity: Identity().publicIdentity, nickname: nil) }

    @Test("An admin adds and removes members, and changes the title and the history")
    func allowed() throws {
        let (new, title) = (Self.newMember(), try GroupTitle("Forest"))
        let policy = try #require(log.policy.with(.last(20)))
        let actions: [GroupAction] = [.add(new), .remove(ids[3]), .rename(title), .policy(policy)]
        let proposal = try #require(GroupProposal(actions, in: circle.sessions[1].log))
        let read = try GroupProposal(decoding: proposal.bytes)
        #expect(read == proposal)
        #expect(read.actions(for: ids[1], in: log) == actions)
        #expect(read.actions(for: ids[3], in: log).isEmpty)
        #expect(read.actions(for: new.identity.id, in: log).isEmpty)
    }

    @Test("A proposal asks for nothing that is done already, and for nobody who joined since")
    func late() throws {
        let new = Self.newMember()
        let actions: [GroupAction] = [.add(new), .remove(ids[3]), .rename(try GroupTitle("Forest"))]
        let proposal = try #require(GroupProposal(actions, in: log))
        var later = circle
        try later.perform(actions)
        #expect(proposal.actions(for: ids[1], in: later.sessions[0].log).isEmpty)
        // Another member gets the slot nine days later.
        try later.perform([.add(Self.newMember())], at: GroupCircle.now + 9 * 86_400)
        #expect(later.sessions[0].log.table[3] != nil)
        #expect(proposal.actions(for: ids[1], in: later.sessions[0].log).isEmpty)
    }

    @Test("An admin removes neither the owner nor an admin, and appoints nobody")
    func forbidden() throws {
        for peer in [ids[0], ids[2]] {
            let proposal = try #require(GroupProposal([.remove(peer)], in: log))
            #expect(proposal.actions(for: ids[1], in: log).isEmpty)
        }
        let more = try #require(log.policy.with(admins: [1, 2, 3]))
        let proposal = try #require(GroupProposal([.policy(more)], in: log))
        #expect(proposal.actions(for: ids[1], in: log).isEmpty)
        for action: GroupAction in [.renewBlock, .handover(ids[1], signingKey: GroupOwnerKey().publicKey)] {
            #expect(GroupProposal([action], in: log) == nil)
        }
        #expect(GroupProposal([], in: log) == nil)
        #expect(GroupProposal([.remove(Identity().publicIdentity.id)], in: log) == nil)
    }

    @Test("Bytes that no admin writes are malformed", arguments: 0..<7)
    func malformed(number: Int) throws {
        let fine = try #require(GroupProposal([.remove(ids[3])], in: log)).bytes
        let bytes: [UInt8] =
            switch number {
            case 0: Array(fine.dropLast())
            case 1: fine + [0]
            case 2: [0, 0, 0, 0] + fine.dropFirst(4)
            case 3: Array(fine.prefix(4)) + [0]
            case 4: Array(fine.prefix(4)) + [1] + GroupEdit.takeover.encoded
            case 5: Array(fine.prefix(4)) + [1] + GroupEdit.add(1, Self.newMember()).encoded
            default: Array(fine.prefix(4)) + [65] + (0..<65).flatMap { _ in GroupEdit.remove(3).encoded }
            }
        #expect(throws: CryptoError.self) { try GroupProposal(decoding: bytes) }
    }
}
