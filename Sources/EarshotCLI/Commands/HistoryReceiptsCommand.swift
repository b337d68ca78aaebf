import ArgumentParser
import EarshotRPC
import Foundation

/// Shows who has a message.
struct HistoryReceiptsCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "receipts",
        abstract: "Show the delivery of your message to each recipient.",
        discussion: """
            In a group of more than 32 other members 16 of them, chosen by chance, confirm a message. It counts as \
            delivered when 12 of them have it. "stored at" names a hub that has acknowledged the message; nobody need have \
            fetched it there.
            """
    )

    @OptionGroup var global: GlobalOptions
    @Argument(help: "The message's id, as `send` prints it.") var message: String

    func perform(_ console: Console) async throws {
        try await HomeAccess(global, console).withNode { caller in
            let deliveries = try await caller.call(DeliveriesCall(message: message))
            let contacts = try await caller.call(ContactsCall())
            var table = Table(["RECIPIENT", "STATUS"])
            for delivery in deliveries {
                let name = contacts.first { $0.id == delivery.recipient }?.name ?? String(delivery.recipient.prefix(8))
                table.add(name, Self.status(of: delivery))
            }
            try console.result(deliveries, table.lines)
        }
    }

    private static func status(of delivery: DeliveriesCall.Delivery) -> String {
        let status = delivery.status + (delivery.reason.map { ": \($0)" } ?? "")
        let copies = (delivery.copies ?? []).map { "stored at \($0.hub) at \(TimeText.moment($0.time))" }
        return ([status] + copies).joined(separator: ", ")
    }
}
