public import ChatHistory

/// The checks that a store follows the rules of `MessageStore`; they need no test framework.
///
/// Each check needs an empty store, and reopens it between its steps if `isPersistent`:
/// ```swift
/// for check in StoreCheck.allCases {
///     let folder = try makeEmptyFolder()
///     try StoreConformance(isPersistent: true) { try MyStore(folder) }.run(check)
/// }
/// ```
public struct StoreConformance: Sendable {
    private let isPersistent: Bool
    private let open: @Sendable () throws -> any MessageStore

    /// Prepares the checks of a store.
    ///
    /// - Parameter isPersistent: whether a reopened store still holds its rows; if not, `open` is called once a check.
    /// - Parameter open: opens the same store at every call.
    public init(isPersistent: Bool, open: @escaping @Sendable () throws -> any MessageStore) {
        self.isPersistent = isPersistent
        self.open = open
    }

    /// Runs one check on an empty store.
    ///
    /// - Throws: `ConformanceFailure` if the store violates the rule, or what `open` throws.
    public func run(_ check: StoreCheck) throws {
        var trial = StoreTrial(check: check, store: try open(), reopen: isPersistent ? open : nil)
        switch check {
        case .databaseID: try trial.databaseID()
        case .wholeRows: try trial.wholeRows()
        case .replacing: try trial.replacing()
        case .inserting: try trial.inserting()
        case .tablesApart: try trial.tablesApart()
        case .conversationPages: try trial.conversationPages()
        case .tablePages: try trial.tablePages()
        case .risingPages: try trial.risingPages()
        case .highestSequence: try trial.highestSequence()
        case .counting: try trial.counting()
        case .deletingRow: try trial.deletingRow()
        case .deletingConversation: try trial.deletingConversation()
        case .order: try trial.order()
        case .atomicity: try trial.atomicity()
        case .recordLimit: try trial.recordLimit()
        case .batchLimit: try trial.batchLimit()
        case .pageLimit: try trial.pageLimit()
        case .randomChanges: try trial.randomChanges()
        case .closing: try trial.closing()
        }
        try trial.store.close()
    }
}
