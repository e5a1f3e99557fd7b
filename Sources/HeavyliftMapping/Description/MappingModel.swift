/// How a store of one version of a model becomes a store of another: what a mapping file says.
///
/// ```swift
/// let mapping = MappingModel(
///   source: ModelReference(name: "Music 1"), destination: ModelReference(name: "Music 2"),
///   entityMappings: [
///     EntityMappingDescription(
///       source: "Track", destination: "Track",
///       properties: [.attribute("duration", try MappingExpression(parsing: "$source.seconds * 1000"))])
///   ])
/// let complete = mapping.complete(from: music1, to: music2)
/// ```
///
/// A mapping model says only what differs: entities and properties that it does not mention are copied conservatively.
/// `complete(from:to:after:isLast:)` fills in the rest, `check` reports mistakes.
public struct MappingModel: Sendable {
  /// What the mapping model is called where it was read: `1-2` for `1-2.xml`. No part of the mapping itself.
  public var name: String?
  /// The place of the file among several for the same pair of versions, from 1 on; nil for the only file of a pair.
  ///
  /// Files run as passes into one store only if each of them says so.
  public var pass: Int?
  /// Whether it was inferred, and nobody has decided anything in it: properties that the destination model does not have are
  /// removed, as Core Data does, without asking. No part of the mapping itself; a file that it is written to does not have it.
  public var isInferred = false
  /// The version that it leads from.
  public var source: ModelReference
  /// The version that it leads to.
  public var destination: ModelReference
  /// What happens to destination properties that an entity mapping does not mention.
  public var copying: ConservativeCopy
  /// What happens to the objects of source entities that no entity mapping mentions.
  public var unmentionedEntities: UnmentionedEntities
  /// In the order in which they run.
  public var entityMappings: [EntityMappingDescription]
  /// Where it was read, and how it was written.
  public var markup: MappingMarkup

  /// Creates a mapping model.
  public init(
    name: String? = nil, source: ModelReference = ModelReference(), destination: ModelReference = ModelReference(),
    copying: ConservativeCopy = .everything, unmentionedEntities: UnmentionedEntities = .copied,
    entityMappings: [EntityMappingDescription] = [], pass: Int? = nil, markup: MappingMarkup = MappingMarkup()
  ) {
    self.name = name
    self.pass = pass
    self.source = source
    self.destination = destination
    self.copying = copying
    self.unmentionedEntities = unmentionedEntities
    self.entityMappings = entityMappings
    self.markup = markup
  }

  /// The first entity mapping of that name, given or derived.
  public func entityMapping(named name: String) -> EntityMappingDescription? {
    entityMappings.first { $0.name == name }
  }
}

extension MappingModel: Hashable {
  /// Compares what the mappings say, not what they are called nor where they came from.
  public static func == (lhs: MappingModel, rhs: MappingModel) -> Bool {
    lhs.source == rhs.source && lhs.destination == rhs.destination && lhs.copying == rhs.copying
      && lhs.unmentionedEntities == rhs.unmentionedEntities && lhs.entityMappings == rhs.entityMappings
      && lhs.pass == rhs.pass
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(source)
    hasher.combine(destination)
    hasher.combine(copying)
    hasher.combine(unmentionedEntities)
    hasher.combine(entityMappings)
    hasher.combine(pass)
  }
}
