extension BinaryInteger {
  /// A byte count in the most readable unit: `4.2 MB`.
  package var byteText: String {
    let units = ["kB", "MB", "GB", "TB", "PB", "EB"]
    guard self >= 1000 else { return "\(self) byte\(self == 1 ? "" : "s")" }
    var value = Double(self)
    var unit = -1
    // A value of 999.5 or more would be printed as 1000.
    while value >= 999.5, unit < units.count - 1 {
      value /= 1000
      unit += 1
    }
    let tenths = Int((value * 10).rounded())
    let number = tenths < 100 ? "\(tenths / 10).\(tenths % 10)" : "\(Int(value.rounded()))"
    return "\(number) \(units[max(0, unit)])"
  }
}
