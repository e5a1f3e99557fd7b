/// The effect of an entity mapping as a whole. The raw values are Core Data's.
public enum EntityMappingType: Int, Hashable, Sendable, CaseIterable {
  /// Unknown: Xcode writes this value until it has determined the type.
  case undefined = 0
  /// A policy decides.
  case custom = 1
  /// The destination entity is new.
  case add = 2
  /// The source entity's objects are deleted.
  case remove = 3
  /// Objects are copied unchanged.
  case copy = 4
  /// Objects are copied and changed.
  case transform = 5

  /// The name of the type in a mapping file.
  public var word: String {
    switch self {
    case .undefined: "undefined"
    case .custom: "custom"
    case .add: "add"
    case .remove: "remove"
    case .copy: "copy"
    case .transform: "transform"
    }
  }

  /// Creates the type from its name in a mapping file.
  public init?(word: String) {
    guard let type = EntityMappingType.allCases.first(where: { $0.word == word }) else { return nil }
    self = type
  }
}
