import ChatCore
import ChatHistory

extension HistoryReport.Kind {
    init(_ kind: HistoryFinding.Kind) {
        self =
            switch kind {
            case .rolledBack: .rolledBack
            case .anchorMissing: .anchorMissing
            case .anchorDamaged: .anchorDamaged
            case .anchorForeign: .anchorForeign
            case .digestsMissing: .digestsMissing
            case .digestsChanged: .digestsChanged
            case .rowsChanged: .recordsChanged
            case .rowUnreadable: .recordsUnreadable
            }
    }
}
