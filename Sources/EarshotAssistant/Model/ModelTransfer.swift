import CCurl
import Foundation

/// The libcurl objects and the work of one request; they belong to the thread that creates them.
final class ModelTransfer {
    /// The multi handle, which waits for the server; other threads may use it, and only it, for `curl_multi_wakeup`.
    let multi: UnsafeMutableRawPointer
    private let easy: UnsafeMutableRawPointer
    /// The buffer for libcurl's message about a failure.
    private let words: UnsafeMutablePointer<CChar>
    private var headers: UnsafeMutablePointer<curl_slist>?
    private let give: (ResponsePart) -> Bool
    private var hasHead = false
    private var isRedirected = false

    /// Prepares a request.
    ///
    /// - Parameter give: Takes the head and the pieces of the body, and returns whether more is wanted.
    /// - Returns: Nil if libcurl has no memory, or lacks an option.
    init?(_ request: ModelRequest, give: @escaping (ResponsePart) -> Bool) {
        guard Self.isLibraryReady, let easy = curl_easy_init() else { return nil }
        guard let multi = curl_multi_init() else {
            curl_easy_cleanup(easy)
            return nil
        }
        self.easy = easy
        self.multi = multi
        self.give = give
        words = .allocate(capacity: Int(CURL_ERROR_SIZE))
        words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        guard restrict(), address(request), listen(), curl_multi_add_handle(multi, easy) == CURLM_OK else { return nil }
    }

    deinit {
        curl_multi_remove_handle(multi, easy)
        curl_easy_cleanup(easy)
        curl_multi_cleanup(multi)
        curl_slist_free_all(headers)
        words.deallocate()
    }

    /// Sends the request and waits for the response, until it has ended or is no longer wanted.
    ///
    /// - Parameter isWanted: Called again after every piece, and when the thread is woken up.
    /// - Returns: The reason why it failed; nil if the server ended it.
    func run(while isWanted: () -> Bool) -> ModelFault? {
        var runningCount: Int32 = 0
        while isWanted() {
            guard curl_multi_perform(multi, &runningCount) == CURLM_OK else { break }
            if runningCount == 0 { return outcome }
            // Any traffic ends the wait early.
            guard curl_multi_poll(multi, nil, 0, 60_000, nil) == CURLM_OK else { break }
        }
        return ModelFault(.connectionLost)
    }

    /// Whether libcurl and its TLS library are initialised; this happens here, once.
    private static let isLibraryReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    private var outcome: ModelFault? {
        var count: Int32 = 0
        if isRedirected { return ModelFault(.redirected) }
        guard let message = curl_multi_info_read(multi, &count), message.pointee.msg == CURLMSG_DONE else {
            return ModelFault(.connectionLost)
        }
        let code = message.pointee.data.result
        guard code != CURLE_OK else { return nil }
        return ModelFault(code, words.pointee == 0 ? String(cString: curl_easy_strerror(code)) : String(cString: words))
    }

    // MARK: - Options

    /// Restricts libcurl to the options of this client, whatever the environment says.
    ///
    /// By default libcurl checks certificates, and uses no redirections, cookies, passwords or compression.
    private func restrict() -> Bool {
        [
            earshot_curl_set_text(easy, CURLOPT_PROTOCOLS_STR, "http,https"),
            earshot_curl_set_number(easy, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1),
            earshot_curl_set_text(easy, CURLOPT_PROXY, ""),
            earshot_curl_set_text(easy, CURLOPT_NOPROXY, "*"),
            earshot_curl_set_number(easy, CURLOPT_FORBID_REUSE, 1),
            earshot_curl_set_number(easy, CURLOPT_NOSIGNAL, 1),
            // Other code limits the time; libcurl's own limit for a connection would be five minutes.
            earshot_curl_set_number(easy, CURLOPT_CONNECTTIMEOUT, 86_400),
        ]
        .allSatisfy { $0 == CURLE_OK }
    }

    private func address(_ request: ModelRequest) -> Bool {
        // No `Expect: 100-continue`: the body has a known length and is sent at once.
        let lines = request.headers.map { "\($0.key): \($0.value)" } + ["Expect:"]
        for line in lines {
            guard let longer = curl_slist_append(headers, line) else { return false }
            headers = longer
        }
        var codes = [
            earshot_curl_set_text(easy, CURLOPT_URL, request.url.absoluteString),
            earshot_curl_set_pointer(easy, CURLOPT_HTTPHEADER, headers),
        ]
        if let body = request.body {
            codes.append(body.withUnsafeBytes { earshot_curl_set_body(easy, $0.baseAddress, $0.count) })
        }
        return codes.allSatisfy { $0 == CURLE_OK }
    }

    private func listen() -> Bool {
        let own = Unmanaged.passUnretained(self).toOpaque()
        return [
            earshot_curl_set_pointer(easy, CURLOPT_ERRORBUFFER, words),
            earshot_curl_set_pointer(easy, CURLOPT_HEADERDATA, own),
            earshot_curl_set_callback(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
                guard let bytes, let context else { return 0 }
                let transfer = Unmanaged<ModelTransfer>.fromOpaque(context).takeUnretainedValue()
                let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
                return transfer.take(line: line) ? line.count : 0
            },
            earshot_curl_set_pointer(easy, CURLOPT_WRITEDATA, own),
            earshot_curl_set_callback(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
                guard let bytes, let context else { return 0 }
                let transfer = Unmanaged<ModelTransfer>.fromOpaque(context).takeUnretainedValue()
                return transfer.give(.body(Data(bytes: bytes, count: size * count))) ? size * count : 0
            },
        ]
        .allSatisfy { $0 == CURLE_OK }
    }

    // MARK: - The head

    /// Takes a line of a head; an empty line ends it.
    private func take(line: UnsafeRawBufferPointer) -> Bool {
        let isEmpty = line.allSatisfy { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }
        let status = earshot_curl_status(easy)
        // Interim responses (1xx) may come before the head, and trailer lines after the body.
        guard isEmpty, status >= 200, !hasHead else { return true }
        hasHead = true
        isRedirected = (300..<400).contains(status) && header("Location") != nil
        return !isRedirected && give(.head(status: status, contentType: header("Content-Type")?.lowercased()))
    }

    private func header(_ name: String) -> String? {
        var header: UnsafeMutablePointer<curl_header>?
        guard curl_easy_header(easy, name, 0, UInt32(CURLH_HEADER), -1, &header) == CURLHE_OK else { return nil }
        return header.map { String(cString: $0.pointee.value) }
    }
}

extension ModelFault {
    /// Makes the fault for an error of libcurl.
    fileprivate init(_ code: CURLcode, _ words: String) {
        let kind: Kind =
            switch code {
            case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT, CURLE_URL_MALFORMAT: .unreachable
            case CURLE_OPERATION_TIMEDOUT: .timedOut
            case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
                CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS,
                CURLE_SSL_CLIENTCERT, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED,
                CURLE_SSL_ENGINE_INITFAILED:
                .insecure
            // libcurl reports the first for a server that does not speak HTTP.
            case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING: .malformed
            default: .connectionLost
            }
        self.init(kind, words)
    }
}
