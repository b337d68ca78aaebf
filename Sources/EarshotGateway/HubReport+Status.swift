import ChatCore
import Earshot
import GatewayCore

extension HubReport {
    /// Makes the report of a hub from its state.
    init(_ status: HubStatus) {
        self.init(
            host: status.host,
            address: status.address,
            state: status.state.rawValue,
            since: Timestamp(status.since),
            roundTrip: status.rtt.map { .seconds($0) },
            tagCount: status.tags,
            sentCount: status.sent,
            fetchedCount: status.fetched,
            waitingCount: status.waiting,
            refusedCount: status.refused,
            problem: status.error?.code,
            advice: status.error?.text
        )
    }
}
