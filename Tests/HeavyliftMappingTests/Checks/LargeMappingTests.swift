import HeavyliftExpression
import HeavyliftModel
import Testing

@testable import HeavyliftMapping

/// Mappings of many entities, either correct or wrong throughout.
@Suite struct LargeMappingTests {
  /// Returns a chain of entities, each with a relationship to the next one.
  private func model(_ count: Int) -> ManagedObjectModel {
    ManagedObjectModel(
      entities: (0..<count).map { number in
        EntityDescription(
          name: "Entity\(number)",
          attributes: (0..<18).map { AttributeDescription(name: "attribute\($0)", type: .integer32) },
          relationships: [
            RelationshipDescription(
              name: "next", destinationEntityName: "Entity\((number + 1) % count)", inverseName: "previous",
              inverseEntityName: "Entity\((number + 1) % count)", maxCount: 1),
            RelationshipDescription(
              name: "previous", destinationEntityName: "Entity\((number + count - 1) % count)", inverseName: "next",
              inverseEntityName: "Entity\((number + count - 1) % count)", maxCount: 1),
          ])
      })
  }

  private func mapping(_ count: Int, _ property: (Int, Int) throws -> PropertyMappingDescription) rethrows
    -> MappingModel
  {
    MappingModel(
      entityMappings: try (0..<count).map { number in
        EntityMappingDescription(
          source: "Entity\(number)", destination: "Entity\(number)",
          properties: try (0..<18).map { try property(number, $0) })
      })
  }

  @Test func `many correct entities cause no message`() throws {
    let model = model(60)
    let mapping = try mapping(60) { _, number in
      .attribute("attribute\(number)", try MappingExpression(parsing: "$source.attribute\(number) * 2 + 1"))
    }
    #expect(mapping.complete(from: model, to: model).check() == [])
  }

  @Test func `many wrong entities each cause a message`() throws {
    let model = model(60)
    let mapping = try mapping(60) { _, number in
      .attribute("atribute\(number)", try MappingExpression(parsing: "$source.attribute\(number)"))
    }
    let diagnostics = mapping.complete(from: model, to: model).check()
    #expect(diagnostics.count == 1_080)
    #expect(Set(diagnostics.map(\.code)) == ["mapping.unknown-property"])
  }

  @Test func `swapped models of many entities are reported once`() throws {
    let old = model(50)
    var new = old
    for entity in new.entities.indices {
      new.entities[entity].attributes = (0..<18).map { AttributeDescription(name: "value\($0)", type: .integer32) }
    }
    let mapping = try mapping(50) { _, number in
      .attribute("value\(number)", try MappingExpression(parsing: "$source.attribute\(number)"))
    }
    #expect(mapping.complete(from: new, to: old).check().map(\.code) == ["mapping.swapped-models"])
    // If neither direction fits, each name is reported.
    let others = try self.mapping(50) { _, number in
      .attribute("valeu\(number)", try MappingExpression(parsing: "$source.attribute\(number)"))
    }
    #expect(others.complete(from: new, to: old).check().count { $0.code == "mapping.unknown-property" } == 900)
  }

  @Test func `unknown entities are reported once each, without consequences`() {
    let model = model(150)
    let mapping = MappingModel(
      entityMappings: (0..<150).map { EntityMappingDescription(source: "Entiti\($0)", destination: "Entity\($0)") })
    let diagnostics = mapping.complete(from: model, to: model).check()
    #expect(diagnostics.count { $0.code == "mapping.unknown-entity" } == 150)
  }

  @Test func `many mappings of one entity are checked`() throws {
    let model = model(4)
    let mapping = MappingModel(
      entityMappings: try (0..<600).map { number in
        EntityMappingDescription(
          name: "Part\(number)", source: "Entity0", destination: "Entity0",
          filter: try MappingPredicate(parsing: "attribute0 == \(number)"))
      })
    let codes = Set(mapping.complete(from: model, to: model).check().map(\.code))
    #expect(codes == ["mapping.losing-filter"])
  }
}
