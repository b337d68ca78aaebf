import Foundation
import GatewayCore

/// The hubs of a data directory: a file with one address a line, which only its owner can read, and with the proxy.
struct HubList {
    /// The most hubs of one node.
    static let maximumCount = 4
    /// The word behind an address that others can read and change on the way, and the user wants all the same.
    private static let insecure = "insecure"
    /// The word before the address of the proxy.
    private static let proxyWord = "proxy"
    /// Units: bytes of the file.
    private static let maximumByteCount = 4_096

    private let file: URL
    private let home: HomeDirectory
    private var listed: [HubURL] = []
    /// The proxy by which all hubs are reached; nil for the direct way.
    private(set) var proxy: HubProxy?

    /// The hubs, in the order of the file.
    var hubs: [HubURL] { listed.map { $0.reached(by: proxy) } }

    /// Reads the list; without the file it is empty.
    ///
    /// - Throws: If a line is no address of a hub.
    init(in home: HomeDirectory) throws {
        self.home = home
        file = home.url.appending(path: "hubs")
        guard FileManager.default.fileExists(atPath: file.path) else { return }
        guard let handle = try? FileHandle(forReadingFrom: file),
            let data = try? handle.read(upToCount: Self.maximumByteCount + 1) ?? Data(),
            data.count <= Self.maximumByteCount,
            let text = String(bytes: data, encoding: .utf8)
        else { throw CommandFailure(.badData, "\(file.path) cannot be read. It has one address of a hub a line.") }
        for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let words = line.split(separator: " ").map(String.init)
            guard let address = words.first, !address.hasPrefix("#") else { continue }
            do throws(HubError) {
                if address == Self.proxyWord, words.count == 2 {
                    proxy = try HubProxy(words[1])
                } else {
                    listed.append(try HubURL(address, allowsClearText: words.dropFirst() == [Self.insecure]))
                }
            } catch {
                throw CommandFailure(
                    .badData,
                    "Line \(number + 1) of \(file.path) is no address of a hub. \(error.mend)"
                )
            }
        }
        try check()
    }

    /// Returns the hubs with others, which take the place of those with the same name and port.
    func adding(_ others: [HubURL]) throws -> [HubURL] {
        var copy = self
        for other in others {
            copy.listed.removeAll { $0.endpoint == other.endpoint }
            copy.listed.append(other)
        }
        try copy.check()
        return copy.hubs
    }

    /// Adds a hub, or changes its login; returns whether it is new.
    ///
    /// - Parameter choice: The choice of another proxy for all hubs; nil to keep the present one.
    mutating func add(_ hub: HubURL, by choice: HubProxyArgument? = nil) throws -> Bool {
        let isNew = !contains(hub)
        if let choice { proxy = choice.proxy }
        listed.removeAll { $0.endpoint == hub.endpoint }
        listed.append(hub)
        try check()
        try write()
        return isNew
    }

    /// Removes a hub by its address or its name.
    mutating func remove(_ name: String) throws {
        guard listed.contains(where: { $0.isNamed(name) }) else {
            let shown = (try? HubURL(name, allowsClearText: true))?.description ?? name
            throw CommandFailure(.badData, "\(shown) is none of your hubs. `earshot hub list` shows them.")
        }
        listed.removeAll { $0.isNamed(name) }
        try write()
    }

    /// Has all hubs reached by another proxy, nil for the direct way.
    mutating func setProxy(_ proxy: HubProxy?) throws {
        guard proxy != self.proxy else { return }
        self.proxy = proxy
        try write()
    }

    func contains(_ hub: HubURL) -> Bool { listed.contains { $0.endpoint == hub.endpoint } }

    private func check() throws {
        guard listed.count <= Self.maximumCount else {
            throw CommandFailure(.usage, "A node has at most \(Self.maximumCount) hubs. Remove one first.")
        }
    }

    /// Replaces the file as a whole, so that a crash leaves the old one.
    private func write() throws {
        let new = file.appendingPathExtension("new")
        try? FileManager.default.createDirectory(
            at: home.url,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        try? FileManager.default.removeItem(at: new)
        let lines =
            (proxy.map { ["\(Self.proxyWord) \($0.text)\n"] } ?? [])
            + listed.map { hub in
                let isAllowed = (try? HubURL(hub.secretText)) != nil
                return hub.secretText + (isAllowed ? "\n" : " \(Self.insecure)\n")
            }
        guard
            FileManager.default.createFile(
                atPath: new.path,
                contents: Data(lines.joined().utf8),
                attributes: [.posixPermissions: 0o600]
            ), rename(new.path, file.path) == 0
        else { throw CommandFailure(.badData, "\(file.path) cannot be written.") }
    }
}

extension HubURL {
    /// Returns whether a text is the address or the name of the hub.
    func isNamed(_ name: String) -> Bool {
        [description, endpoint, text].contains(name)
            || (try? HubURL(name, allowsClearText: true))?.endpoint == endpoint
    }
}
