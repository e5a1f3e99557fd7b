/// What an entity mapping does as a whole. The numbers are Core Data's.
public enum EntityMappingType: Int, Hashable, Sendable, CaseIterable {
  /// What Xcode writes before it has found out.
  case undefined = 0
  /// A policy decides.
  case custom = 1
  /// The destination entity is new.
  case add = 2
  /// The source entity's objects go.
  case remove = 3
  /// Objects are taken over as they are.
  case copy = 4
  /// Objects are taken over and changed.
  case transform = 5

  /// The word that stands for it in a mapping file.
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

  /// Finds the type that a mapping file calls so.
  public init?(word: String) {
    guard let type = EntityMappingType.allCases.first(where: { $0.word == word }) else { return nil }
    self = type
  }
}
