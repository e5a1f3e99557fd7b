import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

/// The facts about the source's objects that are known before any row of the destination is written.
struct SourceSurvey {
  /// The source rows of an entity mapping whose rows a statement creates.
  struct Rows {
    /// The statement, without relationships.
    let statement: RowTransfer
    /// The keys of the rows.
    let keys: KeySet
    /// The facts about their columns; nil if there is nothing to note.
    let columns: ColumnFacts?
    /// The question that the survey answered.
    let question: RowTransfer.Question
  }

  let stores: MappedStores
  /// The number of objects of each source entity, not including sub-entities.
  let counts: [String: Int]
  /// The rows that were found to be as statements need them, by the index of their entity mapping.
  var rows: [Int: Rows] = [:]
  /// The keys of the source objects that each entity mapping removes with a filter, by the mapping's index.
  var removedKeys: [Int: KeySet] = [:]
  /// Columns that statements or filters read from an entity's rows.
  struct Read: Hashable {
    let entity: String
    let includesSubentities: Bool
    let columns: Set<String>
  }

  /// The keys of the first rows with invalid values in columns that no survey checked; nil if there is none.
  var misfits: [Read: Int64?] = [:]
  /// Links of the source's one-to-one relationships whose ends contradict each other.
  var contradictoryLinks: [ContradictoryLinks] = []
  /// Both ends of these relationships.
  var contradictoryEnds: Set<RelationshipEnd> = []
  /// Dangling links of the source's one-to-one relationships, at the end at which links are not counted.
  var danglingBackLinks: [DanglingLinks] = []

  init(_ stores: MappedStores) throws {
    self.stores = stores
    counts = try stores.sourceStore.objectCounts()
  }

  /// Returns the keys of the source objects that an entity mapping migrates; nil if a policy or a filter that SQL cannot
  /// evaluate decides. They are known for all entity mappings with a statement.
  func knownKeys(_ mappingIndex: Int) -> KeySet? { rows[mappingIndex]?.keys }

  /// Returns the keys of the source objects that an entity mapping takes, if they were read, for this or for another
  /// entity mapping.
  func keys(likeThoseOf mappingIndex: Int) -> KeySet? {
    if let rows = rows[mappingIndex] { return rows.keys }
    let mappings = stores.mappings
    do {
      let (entity, wanted) = (
        mappings[mappingIndex].sourceEntityName, try stores.filter(of: mappings[mappingIndex])?.kind
      )
      return try rows.first { other, _ in
        try mappings[other].sourceEntityName == entity && stores.filter(of: mappings[other])?.kind == wanted
      }?.value.keys
    } catch {
      return nil
    }
  }

  /// True if two entity mappings take exactly the same source objects.
  func isSameRows(_ mappingIndex: Int, _ other: Int) -> Bool {
    guard let question = rows[mappingIndex]?.question else { return false }
    return question == rows[other]?.question
  }

  /// The source entities all of whose rows were read.
  var readEntities: Set<String> {
    var read: [String: KeySet] = [:]
    for (mappingIndex, rows) in rows {
      if let name = stores.mappings[mappingIndex].sourceEntityName {
        read[name, default: KeySet()].formUnion(rows.keys)
      }
    }
    return Set(read.filter { $1.count == counts[$0] ?? 0 }.keys)
  }

  /// Returns true if a survey found columns that filters read to be valid in all rows of an entity, for this or for another
  /// entity mapping.
  func hasSurveyed(filterColumns columns: Set<String>, of entity: String) -> Bool {
    rows.contains { mappingIndex, rows in
      stores.mappings[mappingIndex].sourceEntityName == entity
        && rows.statement.filterColumns.isSuperset(of: columns)
    }
  }
}
