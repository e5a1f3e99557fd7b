package import HeavyliftModel

/// The contents of a mapping file: how a store of one model version becomes a store of another.
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
/// A mapping model contains only the differences: entities and properties that it does not mention are copied
/// conservatively. `complete(from:to:after:isLast:)` fills in the rest; `check` reports mistakes.
public struct MappingModel: Sendable {
  /// The name of the file that the mapping was read from, without the extension: `1-2` for `1-2.xml`. Not part of the
  /// mapping itself.
  public var name: String?
  /// The file's number among several for the same pair of versions, starting at 1; nil for the only file of a pair.
  ///
  /// Several files run as passes, one after the other into the same store, only if each of them has a number.
  public var pass: Int?
  /// True for an inferred mapping that no author has edited: properties missing from the destination model are removed
  /// without asking, as in Core Data. Not part of the mapping itself, and not written to files.
  public var isInferred = false
  /// True for a part of a custom stage. Not part of the mapping itself, and not written to files.
  package var isOfStage = false
  /// The old counterparts of entities and properties, if names and renaming identifiers do not decide. Not written to
  /// files.
  package var succession: Succession?
  /// The source version.
  public var source: ModelReference
  /// The destination version.
  public var destination: ModelReference
  /// The treatment of destination properties that an entity mapping does not mention.
  public var copying: ConservativeCopy
  /// The treatment of source entities that no entity mapping mentions.
  public var unmentionedEntities: UnmentionedEntities
  /// The entity mappings in the order in which they run.
  public var entityMappings: [EntityMappingDescription]
  /// The file location and layout.
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

  /// Returns the first entity mapping with that name, explicit or derived.
  public func entityMapping(named name: String) -> EntityMappingDescription? {
    entityMappings.first { $0.name == name }
  }
}

extension MappingModel: Hashable {
  /// Compares the mappings' contents; ignores `name`, `isInferred` and `isOfStage`.
  public static func == (lhs: MappingModel, rhs: MappingModel) -> Bool {
    lhs.source == rhs.source && lhs.destination == rhs.destination && lhs.copying == rhs.copying
      && lhs.unmentionedEntities == rhs.unmentionedEntities && lhs.entityMappings == rhs.entityMappings
      && lhs.pass == rhs.pass && lhs.succession == rhs.succession
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(source)
    hasher.combine(destination)
    hasher.combine(copying)
    hasher.combine(unmentionedEntities)
    hasher.combine(entityMappings)
    hasher.combine(pass)
    hasher.combine(succession)
  }
}
