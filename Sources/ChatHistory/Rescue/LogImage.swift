/// The write-ahead log beside a database.
struct LogImage {
    private struct Frame {
        let page: Int
        let isCommit: Bool
        let isIntact: Bool
    }

    private static let headerByteCount = 32
    private static let frameHeaderByteCount = 24
    private static let frameByteCount = frameHeaderByteCount + DatabaseImage.pageByteCount

    /// The frames whose pages are not certainly the newest.
    let further: [Int]
    private let file: ReadOnlyFile
    /// The last frame of each page.
    private let newest: [Int: Int]

    /// The pages with an intact frame, rising.
    var pages: [Int] { newest.keys.sorted() }

    /// Reads a log; nil for a log without a frame.
    init?(_ file: ReadOnlyFile) {
        let step = Self.frameByteCount
        let count = (file.byteCount - Self.headerByteCount) / step
        guard count > 0, let header = file.read(Self.headerByteCount, at: 0) else { return nil }
        self.file = file
        // Magic number, version, page size, count of checkpoints, two salts, two sums.
        let words = (0..<8).map { Self.word(header, $0 * 4) }
        var sum = (words[6], words[7])
        let isBigEndian = words[0] & 1 == 1
        let salts = Self.salts(in: file, count, of: header)
        var frames: [Frame?] = []
        for index in 0..<count {
            guard let bytes = file.read(step, at: Self.headerByteCount + index * step), bytes.count == step else {
                frames.append(Frame(page: 0, isCommit: false, isIntact: false))
                continue
            }
            let number = (0..<6).map { Self.word(bytes, $0 * 4) }
            let expected = [bytes[..<8], bytes[Self.frameHeaderByteCount...]].reduce(sum) {
                Self.sum($1, isBigEndian, $0)
            }
            sum = (number[4], number[5])
            // A frame of an earlier round of the log; the file has had its content since then.
            let isOfThisRound = bytes[8..<16] == salts[...]
            let frame = Frame(page: Int(number[0]), isCommit: number[1] > 0, isIntact: isOfThisRound && expected == sum)
            frames.append(isOfThisRound ? frame : nil)
        }
        let last = frames.lastIndex { $0?.isIntact == true && $0?.isCommit == true } ?? -1
        var (newest, further): ([Int: Int], [Int]) = ([:], [])
        for (index, frame) in frames.enumerated() {
            if let frame, frame.isIntact, index <= last {
                newest[frame.page] = index
            } else if frame != nil || index < last {
                further.append(index)
            }
        }
        (self.newest, self.further) = (newest, further)
    }

    /// Returns the salts of the frames of the present round: those of the header if any frame has them, else those of
    /// the first frame.
    private static func salts(in file: ReadOnlyFile, _ count: Int, of header: [UInt8]) -> [UInt8] {
        let stored = Array(header[16..<24])
        func salts(_ index: Int) -> [UInt8]? { file.read(8, at: headerByteCount + index * frameByteCount + 8) }
        return (0..<count).contains { salts($0) == stored } ? stored : salts(0) ?? stored
    }

    func page(_ number: Int) -> [UInt8]? { newest[number].flatMap(page(inFrame:)) }

    func page(inFrame index: Int) -> [UInt8]? {
        let start = Self.headerByteCount + index * Self.frameByteCount + Self.frameHeaderByteCount
        let bytes = file.read(DatabaseImage.pageByteCount, at: start)
        return bytes?.count == DatabaseImage.pageByteCount ? bytes : nil
    }

    private static func word(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Computes the two sums over words of 4 bytes, two at a time; they continue the sums over the bytes before.
    private static func sum(
        _ bytes: ArraySlice<UInt8>,
        _ isBigEndian: Bool,
        _ start: (UInt32, UInt32)
    ) -> (UInt32, UInt32) {
        bytes.withUnsafeBytes { bytes in
            var (first, second) = start
            for offset in stride(from: 0, to: bytes.count - 7, by: 8) {
                let words = bytes.loadUnaligned(fromByteOffset: offset, as: SIMD2<UInt32>.self)
                let left = isBigEndian ? UInt32(bigEndian: words[0]) : UInt32(littleEndian: words[0])
                let right = isBigEndian ? UInt32(bigEndian: words[1]) : UInt32(littleEndian: words[1])
                first = first &+ left &+ second
                second = second &+ right &+ first
            }
            return (first, second)
        }
    }
}
