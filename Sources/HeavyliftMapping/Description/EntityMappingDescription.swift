public import HeavyliftExpression

/// How the objects of one source entity become objects of one destination entity.
///
/// A source entity may feed several mappings, which splits it, and several mappings may feed one destination entity,
/// which merges them. A mapping takes the objects of its very entity, not those of sub-entities, as in Core Data.
public struct EntityMappingDescription: Hashable, Sendable {
  /// The name that was given; nil for the derived one.
  public var givenName: String?
  /// The type that was given; nil for the one that follows from the rest.
  public var givenType: EntityMappingType?
  /// Nil for a mapping that adds.
  public var sourceEntityName: String?
  /// Nil for a mapping that removes.
  public var destinationEntityName: String?
  /// Which of the source entity's objects are taken; nil for all.
  public var filter: MappingPredicate?
  /// Where the source objects come from, if not from a fetch of the source entity.
  public var sourceExpression: MappingExpression?
  /// The class of the entity migration policy, with or without its module.
  public var policyClassName: String?
  /// Overrules the mapping model's.
  public var copying: ConservativeCopy?
  /// In the order of the file.
  public var propertyMappings: [PropertyMappingDescription]
  /// Source properties whose values are not migrated on purpose.
  public var droppedProperties: [DroppedProperty]
  /// Whether further objects may be created from source objects that another entity mapping turns into objects of the same
  /// destination entity: `duplicates="intended"`.
  public var intendsDuplicates: Bool
  /// What a policy may ask for.
  public var userInfo: [String: String]
  /// Where in the file it stands, and what stands around it.
  public var markup: MappingMarkup

  /// Creates an entity mapping.
  public init(
    name: String? = nil, type: EntityMappingType? = nil, source: String? = nil, destination: String? = nil,
    filter: MappingPredicate? = nil, sourceExpression: MappingExpression? = nil, policy: String? = nil,
    copying: ConservativeCopy? = nil, properties: [PropertyMappingDescription] = [], drops: [DroppedProperty] = [],
    intendsDuplicates: Bool = false, userInfo: [String: String] = [:],
    markup: MappingMarkup = MappingMarkup()
  ) {
    givenName = name
    givenType = type
    sourceEntityName = source
    destinationEntityName = destination
    self.filter = filter
    self.sourceExpression = sourceExpression
    policyClassName = policy
    self.copying = copying
    propertyMappings = properties
    droppedProperties = drops
    self.intendsDuplicates = intendsDuplicates
    self.userInfo = userInfo
    self.markup = markup
  }

  /// The given name, or the one that Xcode's compiler derives: `TrackToSong`, `Song` for a mapping that adds.
  public var name: String {
    if let givenName { return givenName }
    return switch (sourceEntityName, destinationEntityName) {
    case (let source?, let destination?): "\(source)To\(destination)"
    case (nil, let destination?): destination
    case (let source?, nil): "Remove\(source)"
    case (nil, nil): "Mapping"
    }
  }

  /// The first mapping of that property.
  public func propertyMapping(named name: String) -> PropertyMappingDescription? {
    propertyMappings.first { $0.name == name }
  }
}
