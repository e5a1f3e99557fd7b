import Heavylift
import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

/// Compares rows with what an entity mapping declares, as far as rows are enough.
///
/// Nearly all values of a store are as declared, and most can be checked without creating objects: a copied column has
/// the same bytes, a computed value is compared with the stored value, and a relationship is compared by keys. The
/// comparison can only confirm a match; differences are found by comparing objects.
final class RowComparison {
  let relation: KeyRelation
  private let finder: RowFinder
  private struct Attribute {
    /// The comparison with the source attribute that this attribute is a copy of.
    var copied: CopiedAttribute?
    /// The slot for comparing the attribute with a value; `nil` if an object is needed.
    var slot: Int?
  }

  /// The attributes, in the interpreter's order.
  private let attributes: [Attribute]
  /// The relationships, in the interpreter's order; `nil` if objects are needed.
  private let relationships: [RelationshipComparison?]
  /// Checks properties that the mapping does not mention.
  private let soundness: RowSoundness
  /// The row of the source object, if a query is positioned on it.
  private var row: CurrentRow?

  /// Returns `nil` if the source objects' keys do not determine those of their counterparts.
  init?(
    _ interpreter: MappingInterpreter, _ relations: KeyRelations, source: PersistentStore,
    destination: PersistentStore, sourceKeys: StoredKeys
  ) throws {
    let placed = interpreter.placed
    guard let relation = relations.byPlace[placed.place], let sourceName = placed.complete.sourceEntityName,
      let destinationName = placed.complete.destinationEntityName,
      let finder = try RowFinder(destinationName, in: destination)
    else { return nil }
    self.relation = relation
    self.finder = finder
    attributes = interpreter.attributes.map { property in
      let name = property.description.name
      let copied = property.copiedKey.flatMap {
        CopiedAttribute(of: $0, entity: sourceName, in: source, to: name, entity: destinationName, in: destination)
      }
      return Attribute(copied: copied, slot: finder.slot(ofAttribute: name))
    }
    let told = interpreter.attributes.map(\.description.name) + interpreter.relationships.map(\.description.name)
    soundness = finder.soundness(except: Set(told), in: destination)
    relationships = try interpreter.relationships.map { property in
      guard let (key, mappings) = interpreter.route(of: property) else { return nil }
      return try RelationshipComparison(
        property.description, of: placed, from: key, through: mappings, relations, source: source,
        destination: destination, sourceKeys: sourceKeys)
    }
  }

  /// Moves to the row of a source object's counterpart; returns false if it is missing or damaged.
  func stand(on key: Int64, row: CurrentRow?) throws -> Bool {
    self.row = row
    return try finder.stand(on: key) && soundness.holds(for: finder)
  }

  /// Returns true if an attribute equals the source attribute it was copied from.
  func isCopied(_ place: Int) -> Bool {
    guard let row, let copied = attributes[place].copied else { return false }
    return copied.isSame(row, finder)
  }

  /// Returns true if an attribute has the value.
  func holds(_ value: Value, _ place: Int) -> Bool {
    attributes[place].slot.map { finder.holds(value, at: $0) } ?? false
  }

  /// Returns true if a relationship has the targets that the mapping declares.
  func leadsAsDeclared(_ place: Int, source: Int64, destination: Int64) throws -> Bool {
    try relationships[place]?.isAsDeclared(source: source, row: row, destination: destination, finder) ?? false
  }
}
