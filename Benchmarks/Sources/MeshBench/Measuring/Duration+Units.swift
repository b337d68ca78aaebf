extension Duration {
    var seconds: Double {
        let (whole, atto) = components
        return Double(whole) + Double(atto) / 1e18
    }

    var milliseconds: Double { (seconds * 1e6).rounded() / 1e3 }
}
