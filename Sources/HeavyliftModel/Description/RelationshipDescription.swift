/// The effect of deleting an object on the objects at the other end. The raw values are Core Data's.
public enum DeleteRule: Int, Hashable, Sendable, CaseIterable {
  /// The other object keeps a link that leads nowhere.
  case noAction = 0
  /// The link of the other object is removed.
  case nullify = 1
  /// The other object is deleted, too.
  case cascade = 2
  /// The object cannot be deleted while it has targets.
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
  /// The name, which is unique among the properties of the entity.
  public var name: String
  /// The destination entity; nil only in an unfinished model.
  public var destinationEntityName: String?
  /// The inverse relationship, if there is one.
  public var inverseName: String?
  /// The entity that declares the inverse.
  public var inverseEntityName: String?
  /// A Boolean value that indicates whether the relationship may be empty when the object is saved.
  public var isOptional: Bool
  /// A Boolean value that indicates whether links are never stored.
  public var isTransient: Bool
  /// A Boolean value that indicates whether the targets of a to-many have an order.
  public var isOrdered: Bool
  /// The minimum number of targets, unless the relationship is optional and empty.
  public var minCount: Int
  /// The maximum number of targets: 1 for a to-one, 0 for a to-many without a limit.
  public var maxCount: Int
  /// The effect of deleting the object on its targets.
  public var deleteRule: DeleteRule
  /// The legacy "indexed" flag.
  public var isIndexed: Bool
  /// A Boolean value that indicates whether Spotlight may index the relationship.
  public var isIndexedBySpotlight: Bool
  /// A Boolean value that indicates whether links are also written to the external record file, an obsolete feature.
  public var isStoredInExternalRecord: Bool
  /// The name of this relationship in earlier versions.
  public var renamingIdentifier: String?
  /// A text that is part of the version hash, so that changing it makes a new version; nil for none.
  public var versionHashModifier: String?
  /// Keys and values that the model's author added for the app. They are not part of the version hash.
  public var userInfo: [String: String]
  /// The spelling in the file. Not compared by `==`.
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
