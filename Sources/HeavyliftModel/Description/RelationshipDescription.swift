/// The effect of deleting an object on the objects at the other end. The raw values are Core Data's.
public enum DeleteRule: Int, Hashable, Sendable, CaseIterable {
  case noAction = 0
  case nullify = 1
  case cascade = 2
  case deny = 3

  /// The name that Xcode writes, as in `deletionRule="Nullify"`.
  public var modelName: String {
    switch self {
    case .noAction: "No Action"
    case .nullify: "Nullify"
    case .cascade: "Cascade"
    case .deny: "Deny"
    }
  }

  /// Creates the rule that Xcode writes as `modelName`.
  public init?(modelName: String) {
    guard let rule = DeleteRule.allCases.first(where: { $0.modelName == modelName }) else { return nil }
    self = rule
  }
}

/// A relationship of an entity.
public struct RelationshipDescription: Hashable, Sendable {
  public var name: String
  /// The destination entity; nil only in an unfinished model.
  public var destinationEntityName: String?
  /// The inverse relationship, if there is one.
  public var inverseName: String?
  /// The entity that declares the inverse.
  public var inverseEntityName: String?
  public var isOptional: Bool
  public var isTransient: Bool
  public var isOrdered: Bool
  public var minCount: Int
  /// The maximum number of targets: 1 for a to-one, 0 for a to-many without a limit.
  public var maxCount: Int
  public var deleteRule: DeleteRule
  /// The legacy "indexed" flag.
  public var isIndexed: Bool
  public var isIndexedBySpotlight: Bool
  public var isStoredInExternalRecord: Bool
  /// The name of this relationship in earlier versions.
  public var renamingIdentifier: String?
  public var versionHashModifier: String?
  public var userInfo: [String: String]
  public var markup: Markup
  /// True for the other end of a to-many without an inverse; see `ManagedObjectModel.withImpliedInverses`.
  package var isImplied = false

  /// Creates a relationship. As in Core Data, it is optional and to-many without a limit by default.
  public init(
    name: String, destinationEntityName: String?, inverseName: String? = nil, inverseEntityName: String? = nil,
    isOptional: Bool = true, isTransient: Bool = false, isOrdered: Bool = false, minCount: Int = 0, maxCount: Int = 0,
    deleteRule: DeleteRule = .nullify, isIndexed: Bool = false, isIndexedBySpotlight: Bool = false,
    isStoredInExternalRecord: Bool = false, renamingIdentifier: String? = nil, versionHashModifier: String? = nil,
    userInfo: [String: String] = [:], markup: Markup = Markup()
  ) {
    self.name = name
    self.destinationEntityName = destinationEntityName
    self.inverseName = inverseName
    self.inverseEntityName = inverseEntityName
    self.isOptional = isOptional
    self.isTransient = isTransient
    self.isOrdered = isOrdered
    self.minCount = minCount
    self.maxCount = maxCount
    self.deleteRule = deleteRule
    self.isIndexed = isIndexed
    self.isIndexedBySpotlight = isIndexedBySpotlight
    self.isStoredInExternalRecord = isStoredInExternalRecord
    self.renamingIdentifier = renamingIdentifier
    self.versionHashModifier = versionHashModifier
    self.userInfo = userInfo
    self.markup = markup
  }

  /// A Boolean value that indicates whether the relationship can have more than one target.
  public var isToMany: Bool { maxCount != 1 }

  /// The minimum number of targets that a saved object must have.
  ///
  /// A mandatory to-one needs its target. A mandatory to-many needs targets only if the model states a minimum:
  /// otherwise, Core Data saves objects whose mandatory to-many is empty, and public stores have thousands of them. An
  /// optional to-many may be empty even if a minimum is stated.
  package var requiredCount: Int {
    if isOptional { return 0 }
    return isToMany ? max(0, minCount) : 1
  }

  /// True if an object without a target cannot be saved.
  package var requiresTarget: Bool { requiredCount > 0 }
}
