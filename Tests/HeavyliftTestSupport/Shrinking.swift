extension Array {
  /// Returns the smallest part for which a condition still holds: removes large pieces first, and finally single
  /// elements.
  ///
  /// ```swift
  /// let least = operations.shrunk { disagreement($0) != nil }
  /// ```
  ///
  /// - Parameter tries: The maximum number of times to evaluate the condition.
  public func shrunk(tries: Int = .max, while holds: ([Element]) throws -> Bool) rethrows -> [Element] {
    var (least, size, left) = (self, Swift.max(1, count / 2), tries)
    while true {
      var isSmaller = false
      var start = 0
      while start < least.count {
        guard left > 0 else { return least }
        left -= 1
        var candidate = least
        candidate.removeSubrange(start..<Swift.min(start + size, least.count))
        if try holds(candidate) {
          least = candidate
          isSmaller = true
        } else {
          start += size
        }
      }
      if size == 1, !isSmaller { return least }
      size = Swift.max(1, size / 2)
    }
  }
}
