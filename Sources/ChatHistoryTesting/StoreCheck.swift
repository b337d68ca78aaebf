/// The rules of `MessageStore` that `StoreConformance` checks, one at a time.
public enum StoreCheck: String, CaseIterable, Sendable, CustomStringConvertible {
    /// The store's id.
    case databaseID = "The store's id is 16 bytes and stays"
    /// Whole rows, with all values of their numbers.
    case wholeRows = "A row comes back as it was put, at the ends of every range"
    /// Repeated puts.
    case replacing = "A put takes the place of the row of the same table and id"
    /// Insertions.
    case inserting = "An insertion writes a new row, and changes nothing where there is one"
    /// Separate tables.
    case tablesApart = "The same id in two tables names two rows"
    /// Pages of a conversation.
    case conversationPages = "Pages of a conversation give every row once, in falling order of position"
    /// Pages of a table.
    case tablePages = "Pages of a table give the rows of all conversations once, in falling order of position"
    /// Pages in rising order.
    case risingPages = "Pages in rising order give the same rows as those in falling order, from the other end"
    /// Highest sequences.
    case highestSequence = "The highest sequence follows puts and deletions"
    /// Counts.
    case counting = "Counts follow puts and deletions"
    /// Deletion of one row.
    case deletingRow = "Deleting takes one row, and none if there is none"
    /// Deletion of a conversation.
    case deletingConversation = "Deleting a conversation takes its rows of that table and no others"
    /// The order of changes.
    case order = "The changes of a batch are made in order"
    /// All changes or none.
    case atomicity = "A refused batch changes nothing"
    /// The longest record.
    case recordLimit = "A record of the greatest length is kept, a longer one refused"
    /// The largest batch.
    case batchLimit = "A batch of the greatest size is applied, a larger one refused"
    /// The largest page.
    case pageLimit = "A page of the greatest size is given, larger and empty ones refused"
    /// Random changes.
    case randomChanges = "After random changes the store holds what a plain list would"
    /// Closing.
    case closing = "A closed store refuses everything but to be closed again"

    /// The rule in words.
    public var description: String { rawValue }
}
