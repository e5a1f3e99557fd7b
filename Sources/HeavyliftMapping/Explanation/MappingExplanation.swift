public import HeavyliftModel

/// What a mapping does, spelt out: for each destination property what it gets, and where that came from.
///
/// ```swift
/// print(mapping.complete(from: music1, to: music2).explanation())
/// // TrackToTrack (transform): Track → Track  1-2.xml:4:3
/// //   title    ← $source.name          copied    renaming identifier, was 'name'
/// //   seconds  ← $source.length / 10   computed  1-2.xml:5:5
/// ```
public struct MappingExplanation: Hashable, Sendable {
  /// What the models are called, as far as they or the mapping say so.
  public var source: String?
  /// What the destination model is called, as far as it or the mapping says so.
  public var destination: String?
  /// The place of the file among several for these versions; nil for the only one.
  public var pass: Int?
  /// In the order in which they run.
  public var entityMappings: [EntityMappingExplanation]
  /// Source entities whose objects no entity mapping takes, in order of name.
  public var droppedEntities: [String]
  /// Destination entities for which no entity mapping makes objects, in order of name.
  public var unfilledEntities: [String]
}

/// What an entity mapping does.
public struct EntityMappingExplanation: Hashable, Sendable {
  /// Given, or derived from the entities.
  public var name: String
  /// Whether the file has it, or leaves it unsaid.
  public var origin: EntityMappingOrigin
  /// What it does as a whole.
  public var type: EntityMappingType
  /// Nil for a mapping that adds.
  public var sourceEntity: String?
  /// Nil for a mapping that removes.
  public var destinationEntity: String?
  /// The predicate's text; nil where all objects are taken.
  public var filter: String?
  /// Where its objects come from, if not from a fetch of the source entity.
  public var sourceExpression: String?
  /// The class name, as written.
  public var policy: String?
  /// Attributes, then relationships, each in order of name.
  public var properties: [PropertyMappingExplanation]
  /// The properties of the source entity that the mapping drops by name.
  public var droppedProperties: [String]
  /// The other properties of the source entity that nothing reads; told at the first of the entity's mappings.
  public var unreadProperties: [String]
  /// Its place in the file; nil for one that is implied.
  public var location: SourceLocation?
}

/// What a destination property gets, and why.
public struct PropertyMappingExplanation: Hashable, Sendable {
  /// What becomes of a property.
  public enum Treatment: String, Hashable, Sendable, CaseIterable {
    /// It is the value of a source attribute.
    case copied
    /// It is what an expression gives that stands written.
    case computed
    /// Its objects are what became of those of a source relationship, its own or its inverse's.
    case rebuilt
    /// It keeps the default that the destination model gives it.
    case defaulted
    /// The store computes it, whatever the mapping says.
    case derived
    /// It stays nil or without objects.
    case empty
    /// It stays nil, without objects or at its default, although the source has something of that name.
    case dropped
  }

  /// Attribute or relationship.
  public var kind: PropertyMappingDescription.Kind
  /// Of the destination property.
  public var name: String
  /// What happens to it, in a word.
  public var treatment: Treatment
  /// The expression that gives the value; nil for none.
  public var expression: String?
  /// What the expression says in short, if it asks for what became of source objects.
  public var relatedObjects: RelatedObjects?
  /// The relationship of the other entity that sets this one along with itself, where nothing else does.
  public var inverse: String?
  /// The value of a new object, as it would stand in an expression; nil for none.
  public var defaultValue: String?
  /// Where that came from, in words: `renaming identifier, was 'name'`.
  public var reason: String
  /// Where it stands written, if the file mentions it.
  public var location: SourceLocation?
}

extension PropertyMappingExplanation {
  /// What became of source objects: what a relationship gets in nearly every mapping.
  public struct RelatedObjects: Hashable, Sendable, CustomStringConvertible {
    /// The expression that gives the source objects: `$source.account`.
    public var objects: String
    /// The entity mappings that take them; empty for whichever do.
    public var mappings: [String]

    /// `$source.account through 'AccountToAccount'`.
    public var description: String {
      "\(objects) through \(mappings.isEmpty ? "any mapping" : mappings.quotedList)"
    }
  }
}
