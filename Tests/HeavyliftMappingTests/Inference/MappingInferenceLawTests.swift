import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel
import HeavyliftTestSupport
import Testing

/// Laws for any two models of which one is an edit of the other.
@Suite struct MappingInferenceLawTests {
  private static let seeds = Seeds.some(of: 0..<200)

  @Test(arguments: seeds) func `a model into itself copies everything`(seed: UInt64) throws {
    var generator = MappingGenerator(seed: seed)
    let model = generator.model()
    let complete = try MappingModel.inferred(from: model, to: model).complete(from: model, to: model)
    #expect(complete.entityMappings.map(\.name) == model.entities.map { "\($0.name)To\($0.name)" }, "seed \(seed)")
    for mapping in complete.entityMappings {
      for attribute in mapping.attributeMappings {
        #expect(attribute.origin == .copied(from: attribute.name), "seed \(seed)")
      }
      for relationship in mapping.relationshipMappings {
        guard case .rebuilt(relationship.name, _) = relationship.origin else {
          Issue.record("seed \(seed) \(mapping.name).\(relationship.name): \(relationship.origin)")
          continue
        }
      }
      #expect(mapping.type == .copy, "seed \(seed)")
    }
    let check = complete.check()
    #expect(!check.hasErrors, "seed \(seed)\n\(DiagnosticList(check))")
  }

  @Test(arguments: seeds) func `simple edits are inferred and copy existing values`(seed: UInt64) throws {
    var generator = MappingGenerator(seed: seed)
    let old = generator.model()
    // Rename first, to identify each property's counterpart.
    let renaming = ModelRenaming(of: old, suffix: "x", &generator)
    var new = renaming.renamed(old)
    var expected: [String: String?] = [:]
    for entity in old.entities {
      for attribute in entity.attributes { expected[renaming.property(attribute.name)] = "$source.\(attribute.name)" }
    }
    for place in new.entities.indices {
      var entity = new.entities[place]
      if generator.chance(2), entity.attributes.count > 1 {
        let removed = entity.attributes.removeFirst()
        expected[removed.name] = .some(nil)
      }
      if generator.chance(2) {
        let name = generator.propertyName()
        let isOptional = generator.chance(2)
        entity.attributes.append(
          AttributeDescription(
            name: name, type: .string, isOptional: isOptional, defaultValue: isOptional ? .null : "x"))
        expected[name] = .some(nil)
      }
      for number in entity.attributes.indices where generator.chance(3) {
        guard let value = expected[entity.attributes[number].name] ?? nil else { continue }
        if entity.attributes[number].isOptional {
          entity.attributes[number].isOptional = false
          let fallback = MappingGenerator.defaultValue(of: entity.attributes[number].type)
          entity.attributes[number].defaultValue = fallback
          let shown = MappingExpression(.constant(.value(fallback)))
          expected[entity.attributes[number].name] = "TERNARY(\(value) != nil, \(value), \(shown))"
        } else {
          entity.attributes[number].isOptional = true
        }
      }
      for number in entity.relationships.indices where generator.chance(3) {
        entity.relationships[number].maxCount = 0
      }
      new.entities[place] = entity
    }
    let mapping = try MappingModel.inferred(from: old, to: new)
    let complete = mapping.complete(from: old, to: new)
    #expect(
      Dictionary(
        uniqueKeysWithValues: complete.entityMappings.map {
          ($0.sourceEntityName ?? "", $0.destinationEntityName ?? "")
        })
        == Dictionary(uniqueKeysWithValues: old.entities.map { ($0.name, renaming.entity($0.name)) }), "seed \(seed)")
    for mapping in complete.entityMappings {
      for attribute in mapping.attributeMappings {
        let value = try #require(expected[attribute.name], "seed \(seed) \(attribute.name)")
        #expect(attribute.valueExpression?.description == value, "seed \(seed) \(mapping.name).\(attribute.name)")
      }
      for relationship in mapping.relationshipMappings {
        let name = old.entities.flatMap(\.relationships).map(\.name).first {
          renaming.property($0) == relationship.name
        }
        guard case .rebuilt(let from, _) = relationship.origin, from == name else {
          Issue.record("seed \(seed) \(mapping.name).\(relationship.name): \(relationship.origin)")
          continue
        }
      }
    }
    let check = complete.check()
    #expect(!check.hasErrors, "seed \(seed)\n\(DiagnosticList(check))")
  }

  @Test(arguments: seeds) func `any other edit is refused and named`(seed: UInt64) throws {
    var generator = MappingGenerator(seed: seed)
    let old = generator.model()
    var new = old
    let place = Int.random(in: new.entities.indices, using: &generator.random)
    var entity = new.entities[place]
    let name: String
    let code: String
    switch Int.random(in: 0..<4, using: &generator.random) {
    case 0:
      name = entity.attributes[0].name
      entity.attributes[0].type = .binaryData
      entity.attributes[0].defaultValue = .null
      code = "inference.attribute-type"
    case 1:
      name = "new"
      entity.attributes.append(AttributeDescription(name: name, type: .string, isOptional: false))
      code = "inference.mandatory-attribute"
    case 2:
      name = "new"
      entity.relationships.append(
        RelationshipDescription(name: name, destinationEntityName: entity.name, isOptional: false, maxCount: 1))
      code = "inference.mandatory-relationship"
    default:
      name = entity.attributes[0].name
      entity.attributes.removeFirst()
      entity.relationships.append(RelationshipDescription(name: name, destinationEntityName: entity.name))
      code = "inference.other-kind"
    }
    new.entities[place] = entity
    do {
      let mapping = try MappingModel.inferred(from: old, to: new)
      Issue.record("seed \(seed): inferred \(mapping)")
    } catch {
      #expect(error.diagnostics.map(\.code) == [code], "seed \(seed)")
      #expect(error.diagnostics[0].problem.contains("'\(name)' of entity '\(entity.name)'"), "seed \(seed) \(error)")
    }
  }
}
