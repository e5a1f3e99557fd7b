/// The order keys of a new list. Core Data leaves gaps between the keys; only their order matters.
enum OrderKeys {
  /// The key that the first one follows.
  static let start: Int64 = 1024
  static let spacing: Int64 = 1024

  /// An expression for the order keys of new lists in a window of rows.
  static func places(_ window: String) -> String { "\(start) + \(spacing) * row_number() OVER (\(window))" }
}
