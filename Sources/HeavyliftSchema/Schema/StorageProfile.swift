/// The form in which a schema stores what Core Data's attributes have no type for.
public enum StorageProfile: String, Hashable, Sendable, CaseIterable {
  /// As apps with a Core Data model do: enumerations as their raw values, other `Codable` values in transformable
  /// attributes, and `[T]` as an ordered relationship. To-many relationships are optional.
  case coreData
  /// As SwiftData does: enumerations and structures as composite attributes, arrays as JSON, and `[T]` as a relationship
  /// without order. A to-many relationship is optional only if its type is.
  case swiftData
}
