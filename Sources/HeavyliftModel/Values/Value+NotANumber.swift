extension Value {
  /// True for NaN, which SQLite silently turns into NULL. A decimal NaN is not affected: it is stored as text.
  package var isNotANumber: Bool {
    switch self {
    case .double(let value): value.isNaN
    case .date(let value): value.timeIntervalSinceReferenceDate.isNaN
    case .composite(let elements): elements.values.contains(where: \.isNotANumber)
    default: false
    }
  }
}
