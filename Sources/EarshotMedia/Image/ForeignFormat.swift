/// The formats that people try to send as pictures and that this module cannot clean; the refusal names them and says
/// what helps.
enum ForeignFormat {
    /// Returns the refusal of bytes that are no picture of a supported format.
    static func refusal(of bytes: some Collection<UInt8>) -> MediaRefusal {
        guard let (name, advice) = recognise(bytes) else {
            return MediaRefusal(
                .unknownFormat,
                "Earshot does not know this format of picture. Send a JPEG, PNG, WebP or GIF, or send it as a file."
            )
        }
        return MediaRefusal(.unsupportedFormat, "Earshot cannot strip the metadata of a \(name) file. \(advice)")
    }

    private static func recognise(_ bytes: some Collection<UInt8>) -> (name: String, advice: String)? {
        let export = "Open it in a picture program, export it as JPEG or PNG and send that."
        if bytes.dropFirst(4).begins(with: "ftyp") {
            return isoMedia(brand: bytes.dropFirst(8), export: export)
        }
        if bytes.begins(with: "II*\0") || bytes.begins(with: "MM\0*") { return ("TIFF or raw camera", export) }
        if bytes.begins(with: "BM") { return ("BMP", export) }
        if bytes.begins(with: "%PDF") { return ("PDF", "Send it as a file, or send a picture of the page.") }
        if bytes.begins(with: "8BPS") { return ("Photoshop", export) }
        if bytes.starts(with: [0xFF, 0x0A]) || bytes.dropFirst(4).begins(with: "JXL ") { return ("JPEG XL", export) }
        if bytes.dropFirst(4).begins(with: "jP  ") { return ("JPEG 2000", export) }
        if bytes.starts(with: [0, 0, 1, 0]) { return ("icon", export) }
        return isVector(bytes) ? ("SVG", "Export it as PNG and send that, or send it as a file.") : nil
    }

    private static func isoMedia(brand: some Collection<UInt8>, export: String) -> (name: String, advice: String) {
        if brand.begins(with: "avif") || brand.begins(with: "avis") { return ("AVIF", export) }
        let isPicture = ["heic", "heix", "hevc", "heim", "heis", "mif1", "msf1"].contains {
            brand.starts(with: $0.utf8)
        }
        return isPicture ? ("HEIC", export) : ("film", "Send it as a file.")
    }

    /// Whether the first kilobyte begins as XML or holds the opening of an SVG element.
    private static func isVector(_ bytes: some Collection<UInt8>) -> Bool {
        let start = String(decoding: bytes.prefix(1_024), as: UTF8.self)
        return start.contains("<svg") || start.drop { $0.isWhitespace || $0 == "\u{FEFF}" }.hasPrefix("<?xml")
    }
}
