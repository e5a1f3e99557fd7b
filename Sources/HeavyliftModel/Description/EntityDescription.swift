/// An entity: a class of objects, its properties, and its superentity.
///
/// The properties are the entity's own; ask the model for inherited ones. They are sorted by name, because their order
/// in the file has no meaning; `markup` keeps the order in the file.
public struct EntityDescription: Hashable, Sendable {
  /// Properties whose combined values no two objects may share.
  public struct UniquenessConstraint: Hashable, Sendable {
    /// The attributes and to-one relationships, in order.
    public var propertyNames: [String]
    /// The spelling in the file. Not compared by `==`.
    public var markup: Markup

    /// Creates a constraint.
    public init(_ propertyNames: [String], markup: Markup = Markup()) {
      self.propertyNames = propertyNames
      self.markup = markup
    }
  }

  /// The name, which is unique in the model.
  public var name: String
  /// The class of the entity's objects in the app; nil for the generic class.
  public var managedObjectClassName: String?
  /// A Boolean value that indicates whether only sub-entities have objects.
  public var isAbstract: Bool
  /// The entity that this one inherits from; nil for a root.
  public var superentityName: String?
  /// The entity's own attributes, sorted by name.
  public var attributes: [AttributeDescription] {
    didSet { attributes.sortByName(\.name) }
  }
  /// The entity's own relationships, sorted by name.
  public var relationships: [RelationshipDescription] {
    didSet { relationships.sortByName(\.name) }
  }
  /// The entity's own fetched properties, sorted by name.
  public var fetchedProperties: [FetchedPropertyDescription] {
    didSet { fetchedProperties.sortByName(\.name) }
  }
  /// The groups of properties whose combined values are unique.
  public var uniquenessConstraints: [UniquenessConstraint]
  /// The indexes that the store maintains.
  public var fetchIndexes: [FetchIndexDescription]
  /// Groups of properties that older versions of Xcode declared as compound indexes.
  public var compoundIndexes: [[String]]
  /// The name of this entity in earlier versions.
  public var renamingIdentifier: String?
  /// A text that is part of the version hash, so that changing it makes a new version; nil for none.
  public var versionHashModifier: String?
  /// Keys and values that the model's author added for the app. They are not part of the version hash.
  public var userInfo: [String: String]
  /// The spelling in the file. Not compared by `==`.
  public var markup: Markup

  /// Creates an entity.
  public init(
    name: String, managedObjectClassName: String? = nil, isAbstract: Bool = false, superentityName: String? = nil,
    attributes: [AttributeDescription] = [], relationships: [RelationshipDescription] = [],
    fetchedProperties: [FetchedPropertyDescription] = [], uniquenessConstraints: [UniquenessConstraint] = [],
    fetchIndexes: [FetchIndexDescription] = [], compoundIndexes: [[String]] = [], renamingIdentifier: String? = nil,
    versionHashModifier: String? = nil, userInfo: [String: String] = [:], markup: Markup = Markup()
  ) {
    self.name = name
    self.managedObjectClassName = managedObjectClassName
    self.isAbstract = isAbstract
    self.superentityName = superentityName
    self.attributes = attributes
    self.relationships = relationships
    self.fetchedProperties = fetchedProperties
    self.uniquenessConstraints = uniquenessConstraints
    self.fetchIndexes = fetchIndexes
    self.compoundIndexes = compoundIndexes
    self.renamingIdentifier = renamingIdentifier
    self.versionHashModifier = versionHashModifier
    self.userInfo = userInfo
    self.markup = markup
    self.attributes.sortByName(\.name)
    self.relationships.sortByName(\.name)
    self.fetchedProperties.sortByName(\.name)
  }

  /// Returns the entity's own attribute of that name.
  public func attribute(named name: String) -> AttributeDescription? { attributes.first { $0.name == name } }

  /// Returns the entity's own relationship of that name.
  public func relationship(named name: String) -> RelationshipDescription? { relationships.first { $0.name == name } }
}

extension Array {
  /// Sorts by name in code units, the order in which Core Data hashes; the sort is stable.
  mutating func sortByName(_ name: KeyPath<Element, String>) {
    let isSorted = zip(self, dropFirst()).allSatisfy { !$1[keyPath: name].precedesInCodeUnits($0[keyPath: name]) }
    if !isSorted { sort { $0[keyPath: name].precedesInCodeUnits($1[keyPath: name]) } }
  }
}

extension String {
  /// Returns true if this string precedes the other by UTF-16 code units, the order in which Core Data sorts
  /// properties.
  package func precedesInCodeUnits(_ other: String) -> Bool { utf16.lexicographicallyPrecedes(other.utf16) }
}
