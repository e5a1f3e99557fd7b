import Foundation
import HeavyliftArchive
import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel
import HeavyliftTestSupport
import HeavyliftXML
import Testing

/// Compiled mapping models.
struct CompiledMappingTests {
  @Test func `a compiled mapping model lists everything that it says`() throws {
    let compiled = try CompiledMapping(data: MappingArchive.whole)
    #expect(compiled.diagnostics == [])
    #expect(
      try compiled.validMappingModel()
        == MappingModel(
          copying: .listed, unmentionedEntities: .dropped,
          entityMappings: [
            EntityMappingDescription(
              name: "Songs", type: .custom, source: "Track", destination: "Song",
              filter: try MappingPredicate(parsing: "seconds > 3"), policy: "Music.SongPolicy",
              properties: [
                .attribute("isNew", MappingExpression(.constant(.value(.bool(true))))),
                .attribute("name", try MappingExpression(parsing: "$source.title")),
                PropertyMappingDescription(.attribute, name: "rank", source: .unmapped),
                PropertyMappingDescription(.relationship, name: "album", source: .unmapped),
              ], userInfo: ["stage": "one"]),
            EntityMappingDescription(type: .copy, source: "Album", destination: "Album"),
            EntityMappingDescription(type: .add, destination: "Genre"),
          ]))
    #expect(compiled.sourceEntityVersionHashes == ["Track": VersionHash(bytes: Data(repeating: 1, count: 32))])
    #expect(compiled.destinationEntityVersionHashes == ["Song": VersionHash(bytes: Data(repeating: 2, count: 32))])
  }

  @Test func `a source expression of another form is kept as it is`() throws {
    var archive = MappingArchive()
    let others = archive.expressions.variable("others")
    let one = archive.entity("AToB", "A", "B", ["NSSourceExpression": others.field])
    let two = archive.entity("CToB", "C", "B", ["NSSourceExpression": archive.fetch("D", "TRUEPREDICATE").field])
    let mapping = try CompiledMapping(data: archive.data([one, two])).mappingModel
    #expect(
      mapping.entityMappings.map { $0.sourceExpression?.description } == [
        "$others",
        #"FETCH(FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", "D", "TRUEPREDICATE"), "#
          + "$manager.sourceContext, FALSE)",
      ])
  }

  @Test func `entities that changed since the mapping was compiled are reported`() throws {
    let compiled = try CompiledMapping(data: MappingArchive.whole)
    let old = ManagedObjectModel(entities: [EntityDescription(name: "Track")])
    let new = ManagedObjectModel(entities: [EntityDescription(name: "Songs")])
    #expect(
      compiled.changes(source: old, destination: new).map(\.description) == [
        """
        warning[mapping-file.model-changed]: source entity 'Track' has a different version hash than when the mapping was compiled
          pass the model version that the mapping was compiled for, or check that the mapping fits this one
        """,
        """
        warning[mapping-file.model-changed]: destination entity 'Song' is no longer in the model
          did you mean 'Songs'?
        """,
      ])
    let same = ManagedObjectModel(
      entities: [EntityDescription(name: "Track"), EntityDescription(name: "Song")],
      statedVersionHashes: compiled.sourceEntityVersionHashes.merging(compiled.destinationEntityVersionHashes) { $1 })
    #expect(compiled.changes(source: same, destination: same) == [])
  }

  @Test func `a file that is cut short anywhere is an error`() {
    let data = MappingArchive.whole
    for length in 0..<data.count {
      #expect(throws: Diagnostic.self, "\(length) bytes") { try CompiledMapping(data: data.prefix(length)) }
    }
  }

  @Test func `a damaged byte ends in a mapping model or in an error`() {
    let data = MappingArchive.whole
    var random = SeededGenerator(seed: 7)
    for _ in 0..<1500 {
      var damaged = data
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        damaged[Int.random(in: 0..<damaged.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      _ = try? CompiledMapping(data: damaged)
    }
  }

  /// One flaw of an archive, and the message for it.
  struct Malformed: Sendable, CustomTestStringConvertible {
    var message: String
    var make: @Sendable (inout MappingArchive) -> Data
    var testDescription: String { message }

    init(_ message: String, _ make: @escaping @Sendable (inout MappingArchive) -> Data) {
      (self.message, self.make) = (message, make)
    }
  }

  static let malformed = [
    Malformed(
      """
      error[archive.wrong-root]: 'V.cdm' contains an object of class 'NSManagedObjectModel', not an object of class \
      'NSMappingModel'
        this is a compiled model (.mom); pass a compiled mapping model (.cdm)
      """
    ) { archive in
      let root = archive.expressions.object("NSManagedObjectModel")
      return archive.expressions.writer.archive(root: root)
    },
    Malformed("error[archive.wrong-root]: 'V.cdm' contains a plain value, not an object of class 'NSMappingModel'") {
      let text = $0.expressions.reference(to: "x")
      return $0.expressions.writer.archive(root: text)
    },
    Malformed(
      """
      error[archive.missing-key]: 'V.cdm' is damaged: an object of class 'NSMappingModel' lacks 'NSEntityMappings'
        compile the model again, or restore the file from a backup
      """
    ) { archive in
      let root = archive.expressions.object("NSMappingModel")
      return archive.expressions.writer.archive(root: root)
    },
    Malformed(
      """
      error[archive.wrong-kind]: 'V.cdm' is damaged: 'NSEntityMappings' of an object of class 'NSMappingModel' is not \
      an array of entity mappings
        compile the model again, or restore the file from a backup
      """
    ) { $0.data([$0.property("a", nil)]) },
    Malformed(
      """
      error[archive.wrong-kind]: 'V.cdm' is damaged: 'NSMappingType' of an object of class 'NSEntityMapping' is not a \
      known type
        compile the model again, or restore the file from a backup
      """
    ) { $0.data([$0.entity("AToB", "A", "B", type: 9)]) },
    Malformed(
      """
      error[archive.wrong-kind]: 'V.cdm' is damaged: 'NSSourceEntityVersionHash' of an object of class \
      'NSEntityMapping' is not 32 bytes of data
        compile the model again, or restore the file from a backup
      """
    ) { $0.data([$0.entity("AToB", "A", "B", ["NSSourceEntityVersionHash": .data(Data(count: 31))])]) },
    Malformed(
      """
      error[archive.wrong-kind]: 'V.cdm' is damaged: 'NSAttributeMappings' of an object of class 'NSEntityMapping' is \
      not an array of property mappings
        compile the model again, or restore the file from a backup
      """
    ) { $0.data([$0.entity("AToB", "A", "B", attributes: [$0.expressions.variable("x")])]) },
    Malformed(
      """
      error[archive.wrong-kind]: 'V.cdm' is damaged: 'NSMappingName' of an object of class 'NSEntityMapping' is not text
        compile the model again, or restore the file from a backup
      """
    ) { $0.data([$0.entity(nil, "A", "B", ["NSMappingName": $0.expressions.add(.integer(3))])]) },
    Malformed(
      "error[archive.unknown-expression]: 'V.cdm' contains an expression of class 'NSBlockExpression', which cannot be written as text"
    ) { archive in
      let block = archive.expressions.object("NSBlockExpression")
      return archive.data([archive.entity("AToB", "A", "B", attributes: [archive.property("a", block)])])
    },
    Malformed(
      """
      error[archive.wrong-kind]: 'V.cdm' is damaged: 'NSUserInfo' of an object of class 'NSEntityMapping' is not a \
      dictionary
        compile the model again, or restore the file from a backup
      """
    ) { $0.data([$0.entity("AToB", "A", "B", ["NSUserInfo": $0.text("x")])]) },
    Malformed(
      """
      error[expression.misspelt-operator]: 'V.cdm': the filter of entity mapping 'AToB': 'LIKES' is not an operator
        did you mean 'LIKE'?
      """
    ) { $0.data([$0.entity("AToB", "A", "B", ["NSSourceExpression": $0.fetch("A", "a LIKES 'x'").field])]) },
    Malformed(
      """
      warning[mapping-file.nameless-property]: 'V.cdm' has a mapping in entity mapping 'AToB' that does not name its \
      attribute; it is skipped
      """
    ) { $0.data([$0.entity("AToB", "A", "B", attributes: [$0.property(nil, nil)])]) },
    Malformed(
      """
      warning[mapping-file.transforms]: 'V.cdm' has transforms of unknown meaning for attribute 'a' of entity \
      mapping 'AToB'
      """
    ) { archive in
      let transforms = archive.expressions.list([archive.expressions.reference(to: "x")])
      let property = archive.property("a", nil, ["NSPropertyTransforms": transforms])
      return archive.data([archive.entity("AToB", "A", "B", attributes: [property])])
    },
    Malformed(
      """
      warning[mapping-file.user-info]: 'V.cdm' has user info for entity mapping 'AToB' that is not text; it is skipped
      """
    ) { archive in
      let entries = archive.expressions.dictionary([("k", archive.expressions.reference(to: .integer(1)))])
      return archive.data([archive.entity("AToB", "A", "B", ["NSUserInfo": entries])])
    },
  ]

  @Test(arguments: malformed)
  func `a malformed compiled mapping model gets exactly its message`(malformed: Malformed) {
    var archive = MappingArchive()
    let data = malformed.make(&archive)
    let told: [Diagnostic]
    do {
      told = try CompiledMapping(data: data, subject: "'V.cdm'").diagnostics
    } catch {
      told = [error]
    }
    #expect(told.map(\.description) == [malformed.message])
  }
}
