import Earshot
import EarshotRPC

/// The output of `history export --rescue`.
struct RescueReply: Encodable {
    /// The numbers of saved and lost records.
    struct Count: Encodable {
        let saved: Int
        /// The records that exist but do not open.
        let damaged: Int
        /// The records that should exist; nil if their number is not known.
        let missing: Int?

        init(_ count: RescueReport.Count) {
            saved = count.savedCount
            damaged = count.damagedCount
            missing = count.missingCount
        }

        /// The loss in words; nil if nothing is lost for certain.
        var loss: String? {
            guard damaged > 0 || missing != 0 else { return nil }
            let gone = missing.map { "\($0) are missing" } ?? "an unknown number is missing"
            return "\(saved) saved, \(damaged) do not open, \(gone)"
        }
    }

    /// The records of one kind.
    struct Table: Encodable {
        let name: String
        let count: Count
    }

    /// The messages of one conversation.
    struct Conversation: Encodable {
        let id: String?
        let title: String
        let count: Count
    }

    let written: ExportCall.Reply
    let total: Count
    let tables: [Table]
    let conversations: [Conversation]
    let damagedPages: Int
    let rooms: Int

    init(_ report: RescueReport, _ written: ExportReport) {
        self.written = ExportCall.Reply(written)
        total = Count(report.total)
        tables = report.tables.map { Table(name: $0.name, count: Count($0.count)) }
        conversations = report.conversations.map {
            Conversation(id: $0.id?.hex, title: $0.title, count: Count($0.count))
        }
        damagedPages = report.damagedPageCount
        rooms = report.roomCount
    }

    /// The lines for a person: the part of the home that is not in the file.
    var lines: [String] {
        var lines: [String] = []
        if rooms > 0 { lines.append("\(rooms) rooms were left out: nothing of a room stays after its end.") }
        guard let loss = total.loss else { return lines + ["All \(total.saved) records of the data directory open."] }
        lines.append("Records of the data directory: \(loss).")
        for table in tables { if let loss = table.count.loss { lines.append("  \(table.name): \(loss)") } }
        for conversation in conversations {
            guard let loss = conversation.count.loss else { continue }
            let name = conversation.id == nil ? "an unknown conversation" : conversation.title
            lines.append("  messages of \(DisplayText.safe(name)): \(loss)")
        }
        return lines
    }
}
