import Foundation
import HeavyliftArchive
import HeavyliftModel
import HeavyliftTestSupport
import Testing

@Suite struct CompiledModelTests {
  /// Archives that are not models, or damaged ones, and the whole message for each.
  static let malformed: [(String, @Sendable () throws -> Data)] = [
    (
      "error[archive.not-a-property-list]: 'a.mom' is not a property list\n"
        + "  it may be a different kind of file, or damaged", { Data("hello".utf8) }
    ),
    (
      "error[archive.truncated]: 'a.mom' is truncated: it is shorter than its own structure requires\n"
        + "  compile the model again, or restore the file from a backup",
      { try CompiledModelWriter.archive(of: SampleModels.library).dropLast(100) }
    ),
    (
      "error[archive.not-a-keyed-archive]: 'a.mom' is a property list but not a keyed archive: it lacks '$archiver'\n"
        + "  it may be a different kind of file, or damaged", { PropertyList.dictionary([:]).binaryData }
    ),
    (
      "error[archive.wrong-root]: 'a.mom' contains an object of class 'NSMappingModel', "
        + "not an object of class 'NSManagedObjectModel'\n"
        + "  this is a compiled mapping model (.cdm); pass a compiled model (.mom)",
      { archive("NSMappingModel", [:]) }
    ),
    (
      "error[archive.wrong-root]: 'a.mom' contains a plain value, not an object of class 'NSManagedObjectModel'",
      {
        var writer = KeyedArchiveWriter()
        let root = writer.add("text")
        return writer.archive(root: root)
      }
    ),
    (
      "error[archive.missing-key]: 'a.mom' is damaged: an object of class 'NSManagedObjectModel' lacks 'NSEntities'\n"
        + "  compile the model again, or restore the file from a backup", { archive("NSManagedObjectModel", [:]) }
    ),
    change("missing-key", "an object of class 'NSEntityDescription' lacks 'NSEntityName'") {
      if $0 == "NSEntityDescription" { $1["NSEntityName"] = nil }
    },
    change("damaged", "it has two entities named 'X'") {
      if $0 == "NSEntityDescription" { $1["NSEntityName"] = .string("X") }
    },
    change("wrong-kind", "'NSEntityName' of an object of class 'NSEntityDescription' is not text") {
      if $0 == "NSEntityDescription" { $1["NSEntityName"] = .integer(1) }
    },
    change(
      "missing-key",
      "an object of class 'NSEntityDescription' lacks 'NSProperties'"
        + ", in entity 'Author'"
    ) {
      if $0 == "NSEntityDescription" { $1["NSProperties"] = nil }
    },
    change(
      "missing-key",
      "an object of class 'NSAttributeDescription' lacks 'NSPropertyName'"
        + ", in entity 'Author'"
    ) {
      if $0 == "NSAttributeDescription" { $1["NSPropertyName"] = nil }
    },
    change(
      "missing-key",
      "an object of class 'NSAttributeDescription' lacks 'NSAttributeType'"
        + ", in property 'name' of entity 'Author'"
    ) {
      if $0 == "NSAttributeDescription" { $1["NSAttributeType"] = nil }
    },
    change(
      "wrong-kind",
      "'NSAttributeType' of an object of class 'NSAttributeDescription' is not a known type (77)"
        + ", in property 'name' of entity 'Author'"
    ) {
      if $0 == "NSAttributeDescription" { $1["NSAttributeType"] = .integer(77) }
    },
    change(
      "wrong-kind",
      "'NSDeleteRule' of an object of class 'NSRelationshipDescription' is not a known rule (9)"
        + ", in property 'items' of entity 'Author'"
    ) {
      if $0 == "NSRelationshipDescription" { $1["NSDeleteRule"] = .integer(9) }
    },
    change(
      "wrong-kind",
      "'NSMaxCount' of an object of class 'NSRelationshipDescription' is not a whole number"
        + ", in property 'items' of entity 'Author'"
    ) {
      if $0 == "NSRelationshipDescription" { $1["NSMaxCount"] = .string("many") }
    },
    change(
      "wrong-kind",
      "'NSUniqueTuples' of an object of class 'NSEntityDescription' is not an array or a set"
        + ", in entity 'Author'"
    ) {
      if $0 == "NSEntityDescription" { $1["NSUniqueTuples"] = .integer(1) }
    },
    change(
      "wrong-kind",
      "'NSFetchIndexElementType' of an object of class 'NSFetchIndexElementDescription' is not a known type (7)"
        + ", in entity 'Item'"
    ) {
      if $0 == "NSFetchIndexElementDescription" { $1["NSFetchIndexElementType"] = .integer(7) }
    },
    change(
      "missing-key",
      "an object of class 'NSFetchIndexElementDescription' lacks 'NSPropertyName'"
        + ", in entity 'Item'"
    ) {
      if $0 == "NSFetchIndexElementDescription" { $1["NSPropertyName"] = nil }
    },
    change("damaged", "it has two properties named 'x', in entity 'Author'") {
      if $1["NSPropertyName"] != nil, $0 != "NSFetchIndexElementDescription" { $1["NSPropertyName"] = .string("x") }
    },
  ]

  private static func change(
    _ code: String, _ words: String, _ change: @escaping @Sendable (String, inout [String: PropertyList]) -> Void
  ) -> (String, @Sendable () throws -> Data) {
    (
      "error[archive.\(code)]: 'a.mom' is damaged: \(words)\n"
        + "  compile the model again, or restore the file from a backup",
      { try SampleModels.archive(changing: change) }
    )
  }

  private static func archive(_ className: String, _ fields: [String: PropertyList]) -> Data {
    var writer = KeyedArchiveWriter()
    let root = writer.addObject([className, "NSObject"], fields)
    return writer.archive(root: root)
  }

  @Test(arguments: malformed.indices)
  func `a bad compiled model is rejected with the reason`(index: Int) throws {
    let data = try Self.malformed[index].1()
    let error = #expect(throws: Diagnostic.self) { try CompiledModel(data: data, subject: "'a.mom'") }
    #expect(error?.description == Self.malformed[index].0)
  }

  /// Contents of a file that a model cannot represent, and the note about each.
  static let noted: [(String, @Sendable (String, inout [String: PropertyList]) -> Void)] = [
    (
      "note[archive.unknown-flags]: the compiled model has flags 2 of unknown meaning for attribute 'name' "
        + "of entity 'Author'",
      { if $1["NSPropertyName"] != nil, $0 == "NSAttributeDescription" { $1["NSFlagsKey"] = .integer(18) } }
    ),
    (
      "warning[archive.default-of-wrong-type]: the compiled model has an integer as the default value of attribute "
        + "'name' of entity 'Author'",
      { if $0 == "NSAttributeDescription" { $1["NSDefaultValue"] = .integer(7) } }
    ),
  ]

  private static let author = ManagedObjectModel(
    entities: [EntityDescription(name: "Author", attributes: [AttributeDescription(name: "name", type: .string)])])

  @Test func `contents that a model cannot represent are reported`() throws {
    for (message, change) in Self.noted {
      let compiled = try CompiledModel(data: SampleModels.archive(of: Self.author, changing: change))
      #expect(compiled.diagnostics.map(\.description) == [message])
    }
  }

  @Test func `validations of the shape that Xcode writes become bounds, lengths and patterns`() throws {
    let validations: [(AttributeType, String, Value, AttributeValidation)] = [
      (.integer16, "SELF >= 1", 1, AttributeValidation(minimum: 1)),
      (.integer64, "SELF <= 1", 5, AttributeValidation(maximum: 5)),
      (.double, "SELF >= 1", 1, AttributeValidation(minimum: 1.0)),
      (.decimal, "SELF <= 1", 0.1, AttributeValidation(maximum: .decimal(Decimal(string: "0.1") ?? 0))),
      (
        .date, "SELF >= 1", .date(Date(timeIntervalSinceReferenceDate: 5)),
        AttributeValidation(minimum: .date(Date(timeIntervalSinceReferenceDate: 5)))
      ),
      (.string, "length >= 1", 3, AttributeValidation(minimumLength: 3)),
      (.string, "length <= 1", 9, AttributeValidation(maximumLength: 9)),
      (.string, "SELF MATCHES 1", "\\d+", AttributeValidation(regularExpression: "\\d+")),
    ]
    for (type, shape, value, expected) in validations {
      let compiled = try CompiledModel(data: Self.model(of: type, validatedBy: [(shape, value)]))
      #expect(compiled.diagnostics == [])
      #expect(compiled.model.entities[0].attributes[0].validation == expected, "\(type) \(shape)")
    }
    let both = try CompiledModel(data: Self.model(of: .integer16, validatedBy: [("SELF >= 1", 1), ("SELF <= 1", 5)]))
    #expect(both.model.entities[0].attributes[0].validation == AttributeValidation(minimum: 1, maximum: 5))
  }

  @Test func `validations of any other shape are reported, and the others kept`() throws {
    let compiled = try CompiledModel(
      data: Self.model(of: .integer16, validatedBy: [("SELF >= 1", 1), ("SELF != 1", 3), ("SELF >= 1", 2)]))
    #expect(compiled.model.entities[0].attributes[0].validation == AttributeValidation(minimum: 1))
    #expect(
      compiled.diagnostics.map(\.description) == [
        "warning[archive.validation-left-out]: the compiled model has a validation rule for attribute 'a' of entity 'E' "
          + "that no model file can express: SELF != 3",
        "warning[archive.validation-left-out]: the compiled model has a validation rule for attribute 'a' of entity 'E' "
          + "that no model file can express: SELF >= 2",
      ])
  }

  /// The archive of a model with one attribute, whose validations have these shapes and constants.
  private static func model(of type: AttributeType, validatedBy validations: [(String, Value)]) -> Data {
    var builder = ExpressionArchive()
    let predicates = validations.map { shape, value in
      let parts = shape.split(separator: " ")
      let left = parts[0] == "SELF" ? builder.object("NSSelfExpression") : builder.keyPath(String(parts[0]))
      let operators: [Substring: Int64] = [">=": 3, "<=": 1, "!=": 5, "MATCHES": 6]
      return builder.comparison(left, operators[parts[1]] ?? 4, builder.constant(value))
    }
    let attribute = builder.object(
      "NSAttributeDescription",
      [
        "NSPropertyName": builder.add("a"), "NSAttributeType": .integer(Int64(type.rawValue)),
        "NSValidationPredicates": builder.list(predicates),
      ])
    let entity = builder.object(
      "NSEntityDescription",
      ["NSEntityName": builder.add("E"), "NSProperties": builder.dictionary([("a", attribute)])])
    let model = builder.object("NSManagedObjectModel", ["NSEntities": builder.dictionary([("E", entity)])])
    return builder.writer.archive(root: model)
  }

  @Test func `fetch request templates are read`() throws {
    var builder = ExpressionArchive()
    let sort = builder.object("NSSortDescriptor", ["NSKey": builder.add("name"), "NSAscending": .boolean(false)])
    let predicate = builder.comparison(builder.keyPath("name"), 8, builder.variable("prefix"), options: 3)
    let entity = builder.object(
      "NSEntityDescription", ["NSEntityName": builder.add("E"), "NSProperties": builder.dictionary([])])
    let request = builder.object(
      "NSFetchRequest",
      [
        "NSEntity": entity.field, "NSPredicate": predicate.field, "NSSortDescriptors": builder.list([sort]),
        "NSFetchLimit": .integer(10), "NSBatchSize": .integer(5), "NSResultType": .integer(2),
        "NSFetchRequestFlags": .integer(31),
      ])
    let model = builder.object(
      "NSManagedObjectModel",
      [
        "NSEntities": builder.dictionary([("E", entity)]),
        "NSFetchRequestTemplates": builder.dictionary([("starting", request)]),
      ])
    let compiled = try CompiledModel(data: builder.writer.archive(root: model))
    #expect(
      compiled.model.fetchRequestTemplates == [
        FetchRequestDescription(
          name: "starting", entityName: "E", predicateString: "name BEGINSWITH[cd] $prefix",
          sortKeys: [.init(keyPath: "name", isAscending: false)], fetchLimit: 10, fetchBatchSize: 5,
          resultType: .dictionaries)
      ])
    #expect(
      compiled.diagnostics.map(\.description) == [
        "warning[archive.fetch-flags]: the compiled model has flags 31 of unknown meaning for fetch request "
          + "'starting'"
      ])
  }

  @Test func `a proxy for an inherited property is the property of the parent`() throws {
    var builder = ExpressionArchive()
    let title = builder.object(
      "NSAttributeDescription", ["NSPropertyName": builder.add("title"), "NSAttributeType": .integer(700)])
    let item = builder.object(
      "NSEntityDescription",
      ["NSEntityName": builder.add("Item"), "NSProperties": builder.dictionary([("title", title)])])
    let standIn = builder.object("_NSPropertyDescriptionProxy", ["NSUnderlyingProperty": title.field])
    let pages = builder.object(
      "NSAttributeDescription", ["NSPropertyName": builder.add("pages"), "NSAttributeType": .integer(100)])
    let book = builder.object(
      "NSEntityDescription",
      [
        "NSEntityName": builder.add("Book"), "NSSuperentity": item.field,
        "NSProperties": builder.dictionary([("title", standIn), ("pages", pages)]),
        "NSUniqueTuples": builder.list([builder.reference(toListOf: [standIn])]),
      ])
    let model = builder.object(
      "NSManagedObjectModel", ["NSEntities": builder.dictionary([("Item", item), ("Book", book)])])
    let compiled = try CompiledModel(data: builder.writer.archive(root: model))
    #expect(compiled.diagnostics == [])
    #expect(
      compiled.model
        == ManagedObjectModel(entities: [
          EntityDescription(
            name: "Item", attributes: [AttributeDescription(name: "title", type: .string, isOptional: false)]),
          EntityDescription(
            name: "Book", superentityName: "Item",
            attributes: [AttributeDescription(name: "pages", type: .integer16, isOptional: false)],
            uniquenessConstraints: [.init(["title"])]),
        ]))
  }

  @Test func `composites are read with their elements, and attributes with equal ones have one type`() throws {
    var builder = ExpressionArchive()
    func attribute(_ name: String, _ type: Int64, _ elements: [ExpressionArchive.Reference] = [])
      -> ExpressionArchive.Reference
    {
      var fields: [String: PropertyList] = [
        "NSPropertyName": builder.add(.string(name)), "NSAttributeType": .integer(type),
      ]
      if !elements.isEmpty { fields["Elements"] = builder.list(elements) }
      return builder.object("NSAttributeDescription", fields)
    }
    let geo = attribute("geo", 2100, [attribute("lon", 500), attribute("lat", 500)])
    let home = attribute("home", 2100, [attribute("street", 700), geo])
    let work = attribute(
      "work", 2100, [attribute("street", 700), attribute("geo", 2100, [attribute("lon", 500), attribute("lat", 500)])])
    let entity = builder.object(
      "NSEntityDescription",
      ["NSEntityName": builder.add("Person"), "NSProperties": builder.dictionary([("home", home), ("work", work)])])
    let model = builder.object("NSManagedObjectModel", ["NSEntities": builder.dictionary([("Person", entity)])])
    let compiled = try CompiledModel(data: builder.writer.archive(root: model))
    #expect(compiled.diagnostics == [])
    let mandatory = { (name: String, type: AttributeType, composite: String?) in
      AttributeDescription(name: name, type: type, isOptional: false, compositeName: composite)
    }
    #expect(
      compiled.model
        == ManagedObjectModel(
          entities: [
            EntityDescription(
              name: "Person",
              attributes: [mandatory("home", .composite, "Home"), mandatory("work", .composite, "Home")])
          ],
          composites: [
            CompositeDescription(
              name: "Geo", elements: [mandatory("lon", .double, nil), mandatory("lat", .double, nil)]),
            CompositeDescription(
              name: "Home", elements: [mandatory("street", .string, nil), mandatory("geo", .composite, "Geo")]),
          ]))
  }

  @Test func `a proxy for nothing is reported with its entity`() throws {
    var builder = ExpressionArchive()
    let standIn = builder.object("_NSPropertyDescriptionProxy")
    let book = builder.object(
      "NSEntityDescription",
      ["NSEntityName": builder.add("Book"), "NSProperties": builder.dictionary([("title", standIn)])])
    let model = builder.object("NSManagedObjectModel", ["NSEntities": builder.dictionary([("Book", book)])])
    let error = #expect(throws: Diagnostic.self) {
      try CompiledModel(data: builder.writer.archive(root: model), subject: "'a.mom'")
    }
    #expect(
      error?.problem
        == "'a.mom' is damaged: an object of class '_NSPropertyDescriptionProxy' lacks 'NSPropertyName', "
        + "in entity 'Book'")
  }

  @Test func `entities that inherit from each other are read without end`() throws {
    var builder = ExpressionArchive()
    let entity = builder.selfInheriting()
    let model = builder.object("NSManagedObjectModel", ["NSEntities": builder.dictionary([("E", entity)])])
    let compiled = try CompiledModel(data: builder.writer.archive(root: model))
    #expect(compiled.model.entities.map(\.superentityName) == ["E"])
  }

  @Test(arguments: Seeds.some(of: 1..<121))
  func `a compiled model with changed bytes is read or refused, and nothing else`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let model = seed.isMultiple(of: 2) ? SampleModels.library : SampleModels.generated(using: &random)
    var bytes = [UInt8](try CompiledModelWriter.archive(of: model))
    for _ in 0..<Int.random(in: 1...8, using: &random) {
      bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
    }
    exercise { try CompiledModel(data: Data(bytes)) }
  }

  @Test(arguments: Seeds.some(of: 1..<61))
  func `a compiled model whose references are exchanged is read or refused, and nothing else`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let data = try SampleModels.archive { _, fields in
      for (key, value) in fields
      where value.uid != nil && key != "$class" && Int.random(in: 0..<40, using: &random) == 0 {
        fields[key] = .uid(Int.random(in: 0..<60, using: &random))
      }
    }
    exercise { try CompiledModel(data: data) }
  }

  @Test(.enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment)), arguments: Seeds.some(of: 1..<61))
  func `a real model cache with changed bytes is read or refused, and nothing else`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let files = Corpus.files(endingWith: ".mom") + Corpus.files(endingWith: ".cdm")
    var bytes = [UInt8](try Data(contentsOf: files[Int(seed) % files.count]))
    for _ in 0..<Int.random(in: 1...8, using: &random) {
      bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
    }
    exercise { try CompiledModel(data: Data(bytes)) }
  }

  /// Uses the result: hashes it, compares it, and tries to write it.
  private func exercise(_ read: () throws -> CompiledModel) {
    guard let compiled = try? read() else { return }
    _ = compiled.model.entityVersionHashes()
    _ = compiled.model.factsHeldByCompiledModels
    guard let written = try? CompiledModelWriter.modelCache(for: compiled.model) else { return }
    #expect(throws: Never.self) { try CompiledModel(modelCache: written) }
  }
}
