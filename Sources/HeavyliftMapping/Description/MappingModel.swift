import HeavyliftConcurrency
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
  private struct Contents: Sendable {
    var name: String?
    var pass: Int?
    var isInferred = false
    var isOfStage = false
    var succession: Succession?
    var source: ModelReference
    var destination: ModelReference
    var copying: ConservativeCopy
    var unmentionedEntities: UnmentionedEntities
    var entityMappings: [EntityMappingDescription]
    var markup: MappingMarkup
  }
  @CopyOnWrite private var contents: Contents

  /// The name of the file that the mapping was read from, without the extension: `1-2` for `1-2.xml`. Not part of the
  /// mapping itself.
  public var name: String? {
    get { contents.name }
    _modify { yield &contents.name }
  }
  /// The file's number among several for the same pair of versions, starting at 1; nil for the only file of a pair.
  ///
  /// Several files run as passes, one after the other into the same store, only if each of them has a number.
  public var pass: Int? {
    get { contents.pass }
    _modify { yield &contents.pass }
  }
  /// True for an inferred mapping that no author has edited: properties missing from the destination model are removed
  /// without asking, as in Core Data. Not part of the mapping itself, and not written to files.
  public var isInferred: Bool {
    get { contents.isInferred }
    _modify { yield &contents.isInferred }
  }
  /// True for a part of a custom stage. Not part of the mapping itself, and not written to files.
  package var isOfStage: Bool {
    get { contents.isOfStage }
    _modify { yield &contents.isOfStage }
  }
  /// The old counterparts of entities and properties, if names and renaming identifiers do not decide. Not written to
  /// files.
  package var succession: Succession? {
    get { contents.succession }
    _modify { yield &contents.succession }
  }
  /// The source version.
  public var source: ModelReference {
    get { contents.source }
    _modify { yield &contents.source }
  }
  /// The destination version.
  public var destination: ModelReference {
    get { contents.destination }
    _modify { yield &contents.destination }
  }
  /// The treatment of destination properties that an entity mapping does not mention.
  public var copying: ConservativeCopy {
    get { contents.copying }
    _modify { yield &contents.copying }
  }
  /// The treatment of source entities that no entity mapping mentions.
  public var unmentionedEntities: UnmentionedEntities {
    get { contents.unmentionedEntities }
    _modify { yield &contents.unmentionedEntities }
  }
  /// The entity mappings in the order in which they run.
  public var entityMappings: [EntityMappingDescription] {
    get { contents.entityMappings }
    _modify { yield &contents.entityMappings }
  }
  /// The file location and layout.
  public var markup: MappingMarkup {
    get { contents.markup }
    _modify { yield &contents.markup }
  }

  /// Creates a mapping model.
  public init(
    name: String? = nil, source: ModelReference = ModelReference(), destination: ModelReference = ModelReference(),
    copying: ConservativeCopy = .everything, unmentionedEntities: UnmentionedEntities = .copied,
    entityMappings: [EntityMappingDescription] = [], pass: Int? = nil, markup: MappingMarkup = MappingMarkup()
  ) {
    contents = Contents(
      name: name, pass: pass, source: source, destination: destination, copying: copying,
      unmentionedEntities: unmentionedEntities, entityMappings: entityMappings, markup: markup)
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
