import Foundation

/// A server's answer to a request.
struct WebAnswer: Sendable {
    let status: Int
    /// The headers by their names in lower case.
    let headers: [String: String]
    let body: [UInt8]

    /// Reads an answer; nil for anything else.
    init?(_ bytes: [UInt8]) {
        let parts = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n\r\n", maxSplits: 1)
        guard let lines = parts.first?.split(separator: "\r\n"), let first = lines.first,
            let status = first.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
        else { return nil }
        self.status = status
        headers = Dictionary(
            lines.dropFirst().compactMap { line in
                let pair = line.split(separator: ":", maxSplits: 1)
                return pair.count == 2 ? (pair[0].lowercased(), pair[1].trimmingPrefix(" ").description) : nil
            },
            uniquingKeysWith: { $0 + "\n" + $1 }
        )
        let head = (parts.first?.utf8.count ?? 0) + 4
        body = head <= bytes.count ? Array(bytes[head...]) : []
    }

    var text: String { String(decoding: body, as: UTF8.self) }

    /// Returns a value of the body, which is JSON.
    subscript(_ name: String) -> String? {
        let object = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
        return object?[name] as? String
    }

    /// The name of the error in the body.
    var error: String? {
        let object = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
        let error = object?["error"] as? [String: Any]
        return (error?["data"] as? [String: Any])?["code"] as? String
    }
}
