import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift

struct MigrationPathTests {
  private static let models = (1...4).map { version in
    ManagedObjectModel(
      name: "V\(version)",
      entities: [
        EntityDescription(
          name: "Note", attributes: (1...version).map { Models.attribute("a\($0)", .string) })
      ])
  }

  private static func search(_ pairs: [(Int, Int)], isNamed: Bool = true) -> MappingSearch {
    MappingSearch(
      pairs.enumerated().map { index, pair in
        MappingCandidate(
          file: "\(pair.0)-\(pair.1)\(pairs[..<index].contains { $0 == pair } ? "b" : "").xml",
          mappingModel: MappingModel(
            source: ModelReference(name: isNamed ? "V\(pair.0)" : nil),
            destination: ModelReference(name: isNamed ? "V\(pair.1)" : nil),
            entityMappings: [EntityMappingDescription(source: "Note", destination: "Note")],
            pass: pairs.count { $0 == pair } > 1 ? 1 + pairs[..<index].count { $0 == pair } : nil))
      })
  }

  private static func path(_ pairs: [(Int, Int)], from: Int, to: Int, infers: Bool = false) throws -> [String] {
    let graph = MigrationGraph(models: models, mappings: search(pairs), infersMissing: infers)
    return try graph.path(from: from - 1, to: to - 1).map { "\($0.title) \($0.reason)" }
  }

  @Test func `the path leads through every version`() throws {
    #expect(
      try Self.path([(1, 2), (2, 3), (3, 4)], from: 1, to: 4) == [
        "'V1' → 'V2' by '1-2.xml'", "'V2' → 'V3' by '2-3.xml'", "'V3' → 'V4' by '3-4.xml'",
      ])
  }

  @Test func `a mapping that skips versions shortens the path`() throws {
    #expect(
      try Self.path([(1, 2), (2, 3), (3, 4), (1, 3)], from: 1, to: 4) == [
        "'V1' → 'V3' by '1-3.xml'", "'V3' → 'V4' by '3-4.xml'",
      ])
  }

  @Test func `several mappings for one hop are its passes`() throws {
    #expect(
      try Self.path([(1, 2), (1, 2)], from: 1, to: 2) == [
        "'V1' → 'V2' by '1-2.xml' and '1-2b.xml', one after the other"
      ])
  }

  @Test func `mappings may lead back to older versions`() throws {
    #expect(try Self.path([(1, 2), (2, 1)], from: 2, to: 1) == ["'V2' → 'V1' by '2-1.xml'"])
  }

  @Test func `a mapping that does not name its models leads only to the next version`() throws {
    let graph = MigrationGraph(
      models: Array(Self.models[..<2]), mappings: Self.search([(1, 2)], isNamed: false), infersMissing: false)
    #expect(graph.models.indices.map(graph.edges(from:)).map { $0.keys.sorted() } == [[1], []])
    #expect(try graph.path(from: 0, to: 1).map(\.reason) == ["by '1-2.xml'"])
  }

  @Test func `a mapping that fits several hops is refused`() throws {
    let graph = MigrationGraph(
      models: Self.models, mappings: Self.search([(1, 2)], isNamed: false), infersMissing: true)
    #expect(
      failure { try graph.path(from: 0, to: 1) } == """
        error[mapping.undecided-mapping]: mapping file '1-2.xml' does not say which versions it is for, and it fits \
        several hops: 'V1' → 'V2', 'V2' → 'V3', 'V3' → 'V4'
          write source="…" and destination="…" on its <mapping-model>
        """)
  }

  @Test func `a mapping for one hop does not prevent inferring the others`() throws {
    for pair in [(1, 2), (2, 3), (3, 4), (1, 4), (4, 1)] {
      let path = try Self.path([pair], from: 1, to: 4, infers: true)
      let isJump = pair == (1, 4)
      #expect(path.count == (isJump ? 1 : 3))
      #expect(path.count { $0.contains(".xml") } == (pair == (4, 1) ? 0 : 1))
    }
  }

  @Test func `a mapping with a misspelled version is not replaced by an inferred one`() throws {
    let models = [1, 2].map { version in
      ManagedObjectModel(
        name: "Music \(version)",
        entities: [EntityDescription(name: "Note", attributes: [Models.attribute("a\(version)", .string)])])
    }
    let mapping = MappingModel(
      source: ModelReference(name: "Musik 1"), destination: ModelReference(name: "Music 2"),
      entityMappings: [EntityMappingDescription(source: "Note", destination: "Note")])
    func path(_ mapping: MappingModel, infers: Bool) throws -> [String] {
      let search = MappingSearch([MappingCandidate(file: "1-2.xml", mappingModel: mapping)])
      return try MigrationGraph(models: models, mappings: search, infersMissing: infers).path(from: 0, to: 1).map(
        \.reason)
    }
    for infers in [false, true] {
      #expect(
        failure { try path(mapping, infers: infers) } == """
          error[mapping.unknown-version]: the mapping's source is 'Musik 1', but no version of the model has that name
            did you mean 'Music 1'?
          """)
    }
    // The mapping of another model is not a misspelled one.
    var other = mapping
    (other.source.name, other.destination.name) = ("Bank 1", "Bank 2")
    #expect(try path(other, infers: true) == ["inferred, because it has no mapping file"])
    #expect(
      failure { try path(other, infers: false) } == """
        error[migration.no-path]: no mappings lead from 'Music 1' to 'Music 2':
          'Music 1' → nothing
          'Music 2' → nothing
          not used: '1-2.xml', which leads from 'Bank 1' to 'Bank 2'
          write a mapping file from 'Music 1' to 'Music 2', or ask for the missing mappings to be inferred
        """)
  }

  @Test func `a mapping for an unknown version is not replaced by an inferred one if it fits`() throws {
    func path(_ source: String, _ destination: String, entity: String = "Note") throws -> [String] {
      let mapping = MappingModel(
        source: ModelReference(name: source), destination: ModelReference(name: destination),
        entityMappings: [
          EntityMappingDescription(
            source: entity, destination: entity,
            properties: [.attribute("a2", try MappingExpression(parsing: "$source.a1"))])
        ])
      let search = MappingSearch([MappingCandidate(file: "file.xml", mappingModel: mapping)])
      return try MigrationGraph(models: Self.models, mappings: search, infersMissing: true).path(from: 0, to: 1).map(
        \.reason)
    }
    #expect(
      failure { try path("V1", "V9") } == """
        error[mapping.unknown-version]: mapping file 'file.xml' leads from 'V1' to 'V9', but no version of the model has \
        the name 'V9'; the entities and properties in it fit 'V1' → 'V2', which has no mapping file
          correct 'source' and 'destination' of 'mapping-model', or move the file to another folder
        """)
    #expect(failure { try path("V7", "V2") }?.hasPrefix("error[mapping.unknown-version]: ") == true)
    #expect(
      failure { try path("V2", "V1") } == """
        error[mapping.swapped-models]: mapping file 'file.xml' leads from 'V2' to 'V1', but the names in it fit only the \
        opposite direction
          swap 'source' and 'destination' of 'mapping-model'
        """)
    let inferred = ["inferred, because it has no mapping file"]
    #expect(try path("V4", "V9") == inferred)
    #expect(try path("V1", "V9", entity: "Page") == inferred)
  }

  @Test func `the mapping of an edited version is not replaced by an inferred one`() throws {
    let old = ManagedObjectModel(
      name: "V2", entities: [EntityDescription(name: "Note", attributes: [Models.attribute("gone", .string)])])
    let mapping = MappingModel(
      source: ModelReference(name: "V1"), destination: ModelReference(pinning: old),
      entityMappings: [EntityMappingDescription(source: "Note", destination: "Note")])
    let search = MappingSearch([MappingCandidate(file: "1-2.xml", mappingModel: mapping)])
    let graph = MigrationGraph(models: Self.models, mappings: search, infersMissing: true)
    #expect(failure { try graph.path(from: 0, to: 1) }?.hasPrefix("error[mapping.outdated-mapping]: ") == true)
    #expect(try graph.path(from: 1, to: 2).map(\.reason) == ["inferred, because it has no mapping file"])
  }

  @Test func `missing mappings are inferred on request`() throws {
    #expect(
      try Self.path([(1, 2)], from: 1, to: 3, infers: true) == [
        "'V1' → 'V2' by '1-2.xml'", "'V2' → 'V3' inferred, because it has no mapping file",
      ])
  }

  @Test func `a gap is drawn`() {
    #expect(
      failure { try Self.path([(1, 2), (3, 4)], from: 1, to: 4) } == """
        error[migration.no-path]: no mappings lead from 'V1' to 'V4':
          'V1' → 'V2' (1-2.xml)
          'V2' → nothing
          'V3' → 'V4' (3-4.xml)
          'V4' → nothing
          write a mapping file from 'V2' to 'V3', or ask for the missing mappings to be inferred
        """)
  }

  @Test func `a cycle is drawn`() {
    #expect(
      failure { try Self.path([(1, 2), (2, 1)], from: 1, to: 3) } == """
        error[migration.circle]: the existing mappings form a cycle, and none leads from 'V1' to 'V3':
          'V1' → 'V2' (1-2.xml)
          'V2' → 'V1' (2-1.xml)
          'V3' → nothing
          'V4' → nothing
          write a mapping file from 'V2' to 'V3', or ask for the missing mappings to be inferred
        """)
  }

  @Test func `several shortest paths are shown`() {
    #expect(
      failure { try Self.path([(1, 2), (2, 4), (1, 3), (3, 4)], from: 1, to: 4) } == """
        error[migration.several-paths]: 2 paths of equal length lead from 'V1' to 'V4':
          - 'V1' → 'V2' → 'V4'
          - 'V1' → 'V3' → 'V4'
          remove the mapping files of the paths you do not want, or migrate to a version in between first
        """)
  }

  @Test func `a store of a newer version is refused`() {
    #expect(
      failure { try Self.path([(1, 2), (2, 3)], from: 3, to: 2) } == """
        error[migration.newer-version]: the store has version 'V3', which is newer than 'V2', and no mappings lead back:
          'V1' → 'V2' (1-2.xml)
          'V2' → 'V3' (2-3.xml)
          'V3' → nothing
          'V4' → nothing
          use the program that wrote the store, or a newer one; nothing was changed
        """)
  }

  @Test func `the order of names of different kinds does not make a version newer`() {
    func path(_ names: [String], _ pairs: [(Int, Int)] = []) -> String? {
      var models = Array(Self.models[..<names.count])
      for index in names.indices { models[index].name = names[index] }
      let files = pairs.map { from, to in
        MappingCandidate(
          file: "\(from)-\(to).xml",
          mappingModel: MappingModel(
            source: ModelReference(name: names[from]), destination: ModelReference(name: names[to]),
            entityMappings: [EntityMappingDescription(source: "Note", destination: "Note")]))
      }
      let graph = MigrationGraph(models: models, mappings: MappingSearch(files), infersMissing: false)
      return failure { try graph.path(from: names.count - 1, to: 0) }
    }
    #expect(
      path(["Shop 5", "Store v2.7"]) == """
        error[migration.no-path]: no mappings lead from 'Store v2.7' to 'Shop 5':
          'Shop 5' → nothing
          'Store v2.7' → nothing
          write a mapping file that leads to 'Shop 5'; if 'Store v2.7' is the newer one, use the program that wrote it
        """)
    // Models that were given newest first.
    #expect(path(["Shop 2", "Shop"])?.hasPrefix("error[migration.no-path]: no mappings lead from 'Shop' to") == true)
    // A mapping that leads from one to the other shows their order.
    #expect(path(["Shop 5", "Store v2.7"], [(0, 1)])?.hasPrefix("error[migration.newer-version]: ") == true)
    #expect(path(["Shop", "Shop 2"])?.hasPrefix("error[migration.newer-version]: ") == true)
  }

  @Test func `a file whose versions are swapped is named, whether or not mappings are inferred`() throws {
    let mapping = MappingModel(
      source: ModelReference(name: "V2"), destination: ModelReference(name: "V1"),
      entityMappings: [
        EntityMappingDescription(
          source: "Note", destination: "Note",
          properties: [.attribute("a2", try MappingExpression(parsing: "$source.a1"))])
      ])
    let search = MappingSearch([MappingCandidate(file: "1-2.xml", mappingModel: mapping)])
    for infers in [false, true] {
      let graph = MigrationGraph(models: Self.models, mappings: search, infersMissing: infers)
      #expect(
        failure { try graph.path(from: 0, to: 1) } == """
          error[mapping.swapped-models]: mapping file '1-2.xml' leads from 'V2' to 'V1', but the names in it fit only \
          the opposite direction
            swap 'source' and 'destination' of 'mapping-model'
          """)
    }
  }

  @Test func `many versions without hops share a line`() {
    let models = (1...9).map { version in
      ManagedObjectModel(
        name: "V\(version)",
        entities: [EntityDescription(name: "Note", attributes: [Models.attribute("a\(version)", .string)])])
    }
    let graph = MigrationGraph(models: models, mappings: Self.search([(1, 2), (8, 9)]), infersMissing: false)
    #expect(
      failure { try graph.path(from: 1, to: 8) } == """
        error[migration.no-path]: no mappings lead from 'V2' to 'V9':
          'V1' → 'V2' (1-2.xml)
          'V2' to 'V7', 6 versions → nothing
          'V8' → 'V9' (8-9.xml)
          'V9' → nothing
          write a mapping file from 'V2' to 'V3', and on to 'V8', or ask for the missing mappings to be inferred
        """)
  }

  @Test func `a store of an unknown version is compared with the nearest one`() throws {
    let folder = try TemporaryFolder()
    let url = folder.appending("Notes.sqlite")
    try PersistentStore.create(at: url, model: Self.models[3]).close()
    let before = try NoteStores.listing(folder.url, withWorkFolder: true)
    let manager = IncrementalMigrationManager(
      models: Array(Self.models[..<3]), mappings: Self.search([(1, 2), (2, 3)]))
    let found = failure { try manager.migrate(url) }
    #expect(
      found == """
        error[migration.unknown-version]: store '\(url.resolvingLinks.path)' fits none of the 3 models; the closest is 'V3':
          - entity 'Note' differs: the model has no counterpart for column ZA4 of the store
          if the store was written by a newer version of the app, use that version; otherwise, specify the model that the \
        store was written with; also tried: 'V2', 'V1'; if the store was copied while its app was open, copy \
        'Notes.sqlite-wal', too; nothing was changed
        """)
    #expect(try NoteStores.listing(folder.url, withWorkFolder: true) == before)
  }

  /// In a bundle that was renamed, the order of the names says nothing about the age of the versions.
  @Test(arguments: [
    (["Shop 5", "Store v2.7"], false), (["Store v2.6", "Store v2.7"], true), (["Shop", "Shop 2"], true),
    (["Zoo", "Ark"], true), (["1", "2"], true),
  ])
  func `a version is called newer only where more than the order of two names says so`(
    names: [String], isKnown: Bool
  ) throws {
    let models = zip(names, Self.models).map { name, model in
      var model = model
      model.name = name
      return model
    }
    let graph = MigrationGraph(models: models, mappings: MappingSearch([]), infersMissing: false)
    let error = #expect(throws: MigrationError.self) { try graph.path(from: 1, to: 0) }
    #expect(error?.kind == (isKnown ? .newerVersion : .noPath))
    #expect("\(error.map { "\($0)" } ?? "")".contains("which is newer than") == isKnown)
  }
}
