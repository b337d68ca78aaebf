import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What comes back from a model server, in order.
enum ResponsePart: Sendable {
    /// The head.
    case head(status: Int, contentType: String?)
    /// A piece of the body.
    case body(Data)
    /// The end, and why, if it was not the server that ended it; nothing comes after it.
    case end(ModelFault?)
}

/// One request to a model server: no cookie, no cache, no redirection, no proxy, no second try.
///
/// Owns its session, which ends with it. The parts of the response come on the session's own queue, one after the other.
final class ModelExchange: NSObject, URLSessionDataDelegate, Sendable {
    private struct State {
        var session: URLSession?
        var fault: ModelFault?
        var hasHead = false
        var isOver = false
    }

    private let take: @Sendable (ResponsePart) -> Bool
    private let state = Mutex(State())

    /// Sends a request.
    ///
    /// - Parameter take: Takes each part, and says whether more is wanted.
    init(_ request: URLRequest, take: @escaping @Sendable (ResponsePart) -> Bool) {
        self.take = take
        super.init()
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.connectionProxyDictionary = [:]
        configuration.timeoutIntervalForRequest = request.timeoutInterval
        let session = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
        state.withLock { $0.session = session }
        session.dataTask(with: request).resume()
    }

    /// Ends it at once as a failure, which is the last part.
    func end(_ fault: ModelFault) {
        give(.end(fault))
        cancel()
    }

    /// Ends it at once, whatever is under way; no part comes any more.
    func cancel() {
        let session = state.withLock { state in
            state.isOver = true
            return state.session.take()
        }
        session?.invalidateAndCancel()
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        state.withLock { $0.fault = ModelFault(.redirected) }
        completionHandler(nil)
        task.cancel()
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        state.withLock { $0.hasHead = true }
        let head = response as? HTTPURLResponse
        let type = head?.value(forHTTPHeaderField: "Content-Type")?.lowercased()
        give(.head(status: head?.statusCode ?? 0, contentType: type))
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        give(.body(data))
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let fault = state.withLock { state in
            state.fault ?? error.map { ModelFault(failure: $0, hasHead: state.hasHead) }
        }
        give(.end(fault))
        cancel()
    }

    private func give(_ part: ResponsePart) {
        guard !state.withLock({ $0.isOver }) else { return }
        if !take(part) { cancel() }
    }
}

extension ModelFault {
    /// The fault that an error of the system amounts to.
    ///
    /// - Parameter hasHead: Whether the server has answered before.
    init(failure error: any Error, hasHead: Bool) {
        let kind: Kind =
            switch (error as? URLError)?.code {
            case .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed, .notConnectedToInternet: .unreachable
            case .timedOut: .timedOut
            case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
                .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
                .clientCertificateRequired:
                .insecure
            case .badServerResponse, .cannotParseResponse, .cannotDecodeContentData, .cannotDecodeRawData: .malformed
            case .httpTooManyRedirects, .redirectToNonExistentLocation: .redirected
            // On Linux what fails in TLS has no code of its own, and the text of whichever library does it.
            case .unknown where !hasHead && Self.isOfTLS(error.localizedDescription): .insecure
            default: .connectionLost
            }
        self.init(kind, error.localizedDescription)
    }

    private static func isOfTLS(_ text: String) -> Bool {
        let text = text.lowercased()
        return ["ssl", "tls", "certificate"].contains { text.contains($0) }
    }
}
