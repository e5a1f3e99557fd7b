import Heavylift
import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

/// Holds what an entity mapping declares against rows, where a look at them is enough.
///
/// Nearly every value of a store is as declared, and most can be seen to be without making objects of rows: a copied
/// column holds the same bytes, a computed value is compared with the cell, a relationship is followed by keys. This says
/// yes, or that it does not know; what differs, and how, is always found out with objects.
final class RowComparison {
  let relation: KeyRelation
  private let finder: RowFinder
  private struct Attribute {
    /// How it is compared with the source attribute of which it is a copy.
    var copied: CopiedAttribute?
    /// How it is compared with a value; nil for what objects must be asked about.
    var slot: Int?
  }

  /// As the interpreter has them.
  private let attributes: [Attribute]
  /// As the interpreter has them; nil for what objects must be asked about.
  private let relationships: [RelationshipComparison?]
  /// Of what the mapping says nothing.
  private let soundness: RowSoundness
  /// The row of the source object, if a query stands on it.
  private var row: CurrentRow?

  /// Nil where objects do not follow from keys.
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

  /// Goes to the row of what came of a source object; false if it is not there, or damaged.
  func stand(on key: Int64, row: CurrentRow?) throws -> Bool {
    self.row = row
    return try finder.stand(on: key) && soundness.holds(for: finder)
  }

  /// Whether an attribute holds the same as the source attribute of which it is a copy.
  func isCopied(_ place: Int) -> Bool {
    guard let row, let copied = attributes[place].copied else { return false }
    return copied.isSame(row, finder)
  }

  /// Whether an attribute holds that value.
  func holds(_ value: Value, _ place: Int) -> Bool {
    attributes[place].slot.map { finder.holds(value, at: $0) } ?? false
  }

  /// Whether a relationship leads where the mapping says.
  func leadsAsDeclared(_ place: Int, source: Int64, destination: Int64) throws -> Bool {
    try relationships[place]?.isAsDeclared(source: source, row: row, destination: destination, finder) ?? false
  }
}
