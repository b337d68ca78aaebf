import ChatCrypto
import SwiftProtobuf

extension MessageContent.Receipt {
    /// Reads a receipt, without what is no id; nil if it has too many entries.
    init?(_ encoded: ProtoReceipt) {
        guard encoded.delivered.count + encoded.read.count + encoded.packs.count <= ChatLimits.receiptCount else {
            return nil
        }
        delivered = encoded.delivered.compactMap { MessageID(bytes: $0) }
        read = encoded.read.compactMap { MessageID(bytes: $0) }
        packs = encoded.packs.compactMap { DeliveryProofHash.byteCount == $0.count ? [UInt8]($0) : nil }
    }
}
