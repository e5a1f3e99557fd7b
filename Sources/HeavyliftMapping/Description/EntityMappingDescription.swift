public import HeavyliftExpression

/// A rule that turns objects of one source entity into objects of one destination entity.
///
/// Several mappings for one source entity split it; several for one destination entity merge their sources. As in Core
/// Data, a mapping takes only objects of its own source entity, not of sub-entities.
public struct EntityMappingDescription: Hashable, Sendable {
  /// The explicit name; nil to derive it from the entities.
  public var givenName: String?
  /// The explicit type, which the check compares with the actual one; nil if none is given.
  public var givenType: EntityMappingType?
  /// The name of the source entity; nil for a mapping of type add.
  public var sourceEntityName: String?
  /// The name of the destination entity; nil for a mapping of type remove.
  public var destinationEntityName: String?
  /// The source objects to take; nil for all.
  public var filter: MappingPredicate?
  /// The expression for the source objects; nil to fetch objects of the source entity.
  public var sourceExpression: MappingExpression?
  /// The class of the entity migration policy, with or without its module.
  public var policyClassName: String?
  /// The copying mode, which overrides the mapping model's; nil to use the mapping model's.
  public var copying: ConservativeCopy?
  /// The property mappings in the order of the file.
  public var propertyMappings: [PropertyMappingDescription]
  /// Source properties that are intentionally not migrated.
  public var droppedProperties: [DroppedProperty]
  /// True if the mapping may create further objects from source objects that another entity mapping turns into objects
  /// of the same destination entity, or that its source expression gives several times: `duplicates="intended"`.
  public var intendsDuplicates: Bool
  /// True if the policy may leave out objects, links and values of the source: `losses="intended"`. Otherwise, those
  /// that it neither migrates nor reads are an error. So are links to objects that do not become objects of the entity to
  /// which a relationship leads.
  public var intendsLosses: Bool
  /// User info for the policy.
  public var userInfo: [String: String]
  /// The location in the file and the surrounding comments.
  public var markup: MappingMarkup

  /// Creates an entity mapping.
  public init(
    name: String? = nil, type: EntityMappingType? = nil, source: String? = nil, destination: String? = nil,
    filter: MappingPredicate? = nil, sourceExpression: MappingExpression? = nil, policy: String? = nil,
    copying: ConservativeCopy? = nil, properties: [PropertyMappingDescription] = [], drops: [DroppedProperty] = [],
    intendsDuplicates: Bool = false, intendsLosses: Bool = false, userInfo: [String: String] = [:],
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
    self.intendsLosses = intendsLosses
    self.userInfo = userInfo
    self.markup = markup
  }

  /// The explicit name, or the one that Xcode's compiler derives: `TrackToSong`, or `Song` for a mapping of type add.
  public var name: String {
    if let givenName { return givenName }
    return switch (sourceEntityName, destinationEntityName) {
    case (let source?, let destination?): "\(source)To\(destination)"
    case (nil, let destination?): destination
    case (let source?, nil): "Remove\(source)"
    case (nil, nil): "Mapping"
    }
  }

  /// Returns the first mapping of the property with that name.
  public func propertyMapping(named name: String) -> PropertyMappingDescription? {
    propertyMappings.first { $0.name == name }
  }
}
