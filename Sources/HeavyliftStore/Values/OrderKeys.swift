/// The order keys of a new list. Core Data leaves gaps between the keys; only their order matters.
enum OrderKeys {
  /// The key that the first one follows.
  static let start: Int64 = 1024
  static let spacing: Int64 = 1024

  /// An expression for an order key that sorts links like the keys of their objects.
  ///
  /// Above the limit, which no store reaches by counting, objects are sorted by their keys alone.
  static func place(ofKey key: String) -> String { "max(\(key), \(spacing) * min(\(key), \(1 << 52)))" }

  /// An expression for the place of a row in the ordered inverse of one of its relationships.
  ///
  /// - Parameter relationship: The relationship whose inverse has the order; nil for the order of the rows' keys.
  static func place(inInverseOf relationship: ToOneColumn?, row: String) -> String {
    relationship?.orderColumn.map { "CAST(\(row).\(SQLName($0)) AS INTEGER)" } ?? place(ofKey: "\(row).Z_PK")
  }
}
