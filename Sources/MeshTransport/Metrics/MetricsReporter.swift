import CoreMetrics

/// A reporter of a node's metrics to the program's own monitoring, through swift-metrics.
///
/// Invariant: the sum of a counter's increments is its newest reported value.
struct MetricsReporter {
    private struct Key: Hashable {
        let name: String
        let label: String?
    }

    private let factory: any MetricsFactory
    private var counters: [Key: Counter] = [:]
    private var meters: [Key: Meter] = [:]
    private var reported: [Key: Int64] = [:]

    init(factory: any MetricsFactory) {
        self.factory = factory
    }

    /// Reports the values of gauges, and the growth of counters since the last report.
    mutating func report(_ metrics: [Metric]) {
        for metric in metrics {
            for sample in metric.samples { report(sample, of: metric) }
        }
    }

    private mutating func report(_ sample: Metric.Sample, of metric: Metric) {
        let key = Key(name: metric.name, label: sample.label)
        var dimensions: [(String, String)] = []
        if let name = metric.labelName, let label = sample.label { dimensions = [(name, label)] }
        switch metric.kind {
        case .gauge:
            let meter = meters[key] ?? Meter(label: metric.name, dimensions: dimensions, factory: factory)
            meters[key] = meter
            meter.set(sample.value)
        case .counter:
            let counter = counters[key] ?? Counter(label: metric.name, dimensions: dimensions, factory: factory)
            counters[key] = counter
            let value = Int64(sample.value)
            counter.increment(by: value - (reported[key] ?? 0))
            reported[key] = value
        }
    }
}
