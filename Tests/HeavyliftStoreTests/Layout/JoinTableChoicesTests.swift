import HeavyliftModel
import HeavyliftSQLite
import HeavyliftTestSupport
import Testing

@testable import HeavyliftStore

/// Join tables whose names the model does not determine: a store keeps its own names, and a migrated store those of
/// its source.
struct JoinTableChoicesTests {
  /// Both ends of 'next' are visited in one turn. Two relationships with the same name lead to 'Target'.
  static func model(_ one: String = "One", renamed: Bool = false) -> ManagedObjectModel {
    ManagedObjectModel(entities: [
      EntityDescription(
        name: one,
        relationships: [
          Models.toMany("next", one, "previous"), Models.toMany("previous", one, "next"),
          Models.toMany("as", "Target", "bs"),
        ], renamingIdentifier: renamed ? "One" : nil),
      EntityDescription(name: "Other", relationships: [Models.toMany("as", "Target", "cs")]),
      EntityDescription(name: "Base"),
      EntityDescription(
        name: "Target", relationships: [Models.toMany("bs", one, "as"), Models.toMany("cs", "Other", "as")]),
    ])
  }

  /// A store whose tables are named by the other sides, and numbered the other way round.
  private func turned() throws -> TestStore {
    let test = try TestStore(Self.model())
    let nodes = try (0..<3).map { _ in try test.insert("One") }
    let target = try test.insert("Target")
    nodes[0][toMany: "next"] = [nodes[1], nodes[2]]
    nodes[1][toMany: "as"] = [target]
    try test.insert("Other").setObjects([target], forKey: "as")
    try test.context.save()
    #expect(
      test.store.layout.joinTables.map(\.sql) == [
        "CREATE TABLE Z_2AS ( Z_2BS INTEGER, Z_4AS INTEGER, PRIMARY KEY (Z_2BS, Z_4AS) )",
        "CREATE TABLE Z_2PREVIOUS ( Z_2NEXT INTEGER, Z_2PREVIOUS INTEGER, PRIMARY KEY (Z_2NEXT, Z_2PREVIOUS) )",
        "CREATE TABLE Z_3AS ( Z_3CS INTEGER, Z_4AS1 INTEGER, PRIMARY KEY (Z_3CS, Z_4AS1) )",
      ])
    try test.run(
      """
      ALTER TABLE Z_2PREVIOUS RENAME TO Z_2NEXT;
      ALTER TABLE Z_2AS RENAME TO Z_4BS; ALTER TABLE Z_4BS RENAME COLUMN Z_4AS TO Z_4AS1;
      ALTER TABLE Z_3AS RENAME COLUMN Z_4AS1 TO Z_4AS
      """)
    try test.reopen()
    return test
  }

  @Test func `a store is read by either side's name, and by any numbers`() throws {
    let test = try turned()
    let nodes = try test.fetch("One")
    #expect(nodes.map { $0[toMany: "next"].map(\.objectID.key) } == [[2, 3], [], []])
    #expect(nodes.map { $0[toMany: "as"].count } == [0, 1, 0])
    #expect(try test.fetch("Target")[0][toMany: "bs"] == [nodes[1]])
    #expect(try test.fetch("Target")[0][toMany: "cs"].map(\.entity.name) == ["Other"])
    nodes[2][toMany: "next"] = [nodes[0]]
    nodes[0][toMany: "as"] = try test.fetch("Target")
    try test.context.save()
    #expect(try test.rows("SELECT Z_2NEXT, Z_2PREVIOUS FROM Z_2NEXT ORDER BY 1, 2") == ["1 3", "2 1", "3 1"])
    #expect(try test.rows("SELECT Z_2BS, Z_4AS1 FROM Z_4BS ORDER BY 1") == ["1 1", "2 1"])
  }

  @Test(arguments: [false, true]) func `where the model leaves it open, a source store decides`(renamed: Bool) throws {
    let test = try turned()
    let model = Self.model(renamed ? "Renamed" : "One", renamed: renamed)
    let choices = JoinTableChoices(of: test.store.layout, for: model)
    let layout = PhysicalLayout(model: model, choices: choices)
    // The rule names the table of 'as' and its columns, whatever the store has.
    #expect(
      layout.joinTables.map(\.name)
        == (renamed ? ["Z_2AS", "Z_3AS", "Z_3NEXT"] : ["Z_2AS", "Z_2NEXT", "Z_3AS"]))
    #expect(layout.assumptions == [])
    #expect(
      PhysicalLayout(model: model).assumptions.map(\.description) == [
        """
        note[store.assumed-layout]: relationship 'next' of entity '\(renamed ? "Renamed" : "One")' and its inverse \
        'previous' share a join table that could be named after either
          Core Data may choose differently; stores can be read either way
        """
      ])
  }

  @Test func `numbers of one turn are those of the source store`() throws {
    func model(_ more: [RelationshipDescription] = []) -> ManagedObjectModel {
      ManagedObjectModel(entities: [
        EntityDescription(
          name: "A", relationships: [Models.toMany("one", "B", "x"), Models.toMany("two", "C", "x")]),
        EntityDescription(name: "B", relationships: [Models.toMany("x", "A", "one")]),
        EntityDescription(name: "C", relationships: [Models.toMany("x", "A", "two")]),
      ])
    }
    let own = PhysicalLayout(model: model())
    #expect(own.joinTables.map { $0.columns[0].name } == ["Z_1X", "Z_1X1"])
    #expect(
      own.assumptions.map(\.problem) == [
        "relationships 'x' of entity 'B', 'x' of entity 'C' have columns named Z_1X, numbered in an unknown order"
      ])
    var choices = JoinTableChoices()
    choices.numbers = [.init(entity: "B", relationship: "x"): 4, .init(entity: "C", relationship: "x"): 2]
    let chosen = PhysicalLayout(model: model(), choices: choices)
    #expect(chosen.joinTables.map { $0.columns[0].name } == ["Z_1X1", "Z_1X"])
    #expect(chosen.assumptions == [])
  }

  @Test func `pairs that differ only in numbers are distinguished, whatever their entities' numbers`() throws {
    let test = try turned()
    try test.run(
      """
      ALTER TABLE Z_4BS RENAME TO Z_44BS; ALTER TABLE Z_44BS RENAME COLUMN Z_2BS TO Z_22BS;
      ALTER TABLE Z_44BS RENAME COLUMN Z_4AS1 TO Z_44AS1;
      ALTER TABLE Z_3AS RENAME TO Z_33AS; ALTER TABLE Z_33AS RENAME COLUMN Z_3CS TO Z_33CS;
      ALTER TABLE Z_33AS RENAME COLUMN Z_4AS TO Z_44AS
      """)
    try test.reopen()
    #expect(try test.fetch("Target")[0][toMany: "bs"].map(\.objectID.key) == [2])
    #expect(try test.fetch("Target")[0][toMany: "cs"].map(\.entity.name) == ["Other"])
  }

  @Test func `the indexes of an opened store are on the join tables that it has`() throws {
    let store = try turned().store
    for index in store.layout.indexes {
      let columns = try store.database.columns(of: index.tableName).map(\.name)
      #expect(Set(index.columns.map(\.name)).isSubset(of: columns), "\(index.sql)")
    }
  }

  @Test func `a missing table is reported`() throws {
    let test = try turned()
    try test.run("DROP TABLE Z_3AS")
    #expect(
      message { try test.reopen() } == """
        error[store.missing-table]: store '\(test.url.path)' has no table Z_3AS for entity 'Other'
          the store was not written with this model, or it is damaged: run 'heavylift inspect' to see which models fit; \
        if the store was copied while its app was open, copy '\(test.url.lastPathComponent)-wal', too
        """)
  }
}
