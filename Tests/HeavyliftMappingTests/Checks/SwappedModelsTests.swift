import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel
import Testing

/// A mapping that is checked with its two models the wrong way round.
@Suite struct SwappedModelsTests {
  private let old = ManagedObjectModel(
    name: "Bank 1",
    entities: [
      EntityDescription(
        name: "Card",
        attributes: [
          AttributeDescription(name: "expiry", type: .integer32), AttributeDescription(name: "number", type: .string),
        ])
    ])
  private let new = ManagedObjectModel(
    name: "Bank 2",
    entities: [
      EntityDescription(
        name: "Card",
        attributes: [
          AttributeDescription(name: "expiresAt", type: .integer32),
          AttributeDescription(name: "number", type: .string),
        ])
    ])

  private func mapping(
    _ source: ModelReference = ModelReference(), _ destination: ModelReference = ModelReference(),
    attribute: String = "expiresAt", value: String = "$source.expiry"
  ) throws -> MappingModel {
    MappingModel(
      source: source, destination: destination,
      entityMappings: [
        EntityMappingDescription(
          source: "Card", destination: "Card", properties: [.attribute(attribute, try .init(parsing: value))])
      ])
  }

  private func told(_ mapping: MappingModel) -> [String] {
    mapping.complete(from: new, to: old).check().map(\.description)
  }

  private let given = """
    error[mapping.swapped-models]: the mapping leads from model 'Bank 1' to model 'Bank 2', but the two models were \
    given in reverse order
      swap the two models
    """
  private let fits = """
    error[mapping.swapped-models]: the mapping leads from model 'Bank 2' to model 'Bank 1', but the names in it fit \
    only the opposite direction; missing: property 'expiry' of entity 'Card' in the source model, property 'expiresAt' of \
    entity \
    'Card' in the destination model
      swap 'source' and 'destination' of 'mapping-model', or the models that were given
    """

  @Test func `swapped models are reported once, without consequences`() throws {
    #expect(try told(mapping(ModelReference(name: "Bank 1"), ModelReference(name: "Bank 2"))) == [given])
    #expect(try told(mapping(ModelReference(pinning: old), ModelReference(pinning: new))) == [given])
    #expect(try told(mapping()) == [fits])
    #expect(try told(mapping(ModelReference(name: "Bank 2"), ModelReference(name: "Bank 1"))) == [fits])
    var open = try mapping()
    open.markup.comments = [" rebase: something "]
    #expect(
      told(open) == [
        """
        error[mapping.open-conflict]: the mapping model has an unresolved conflict: something
          resolve the conflict, and delete the comment that starts with 'rebase:'
        """, fits,
      ])
  }

  @Test func `wrong names are reported one by one`() throws {
    let slips = [
      // Neither direction fits.
      (
        try mapping(attribute: "expires", value: "$source.expiration"),
        ["mapping.unknown-property", "expression.unknown-key"]
      ),
      (try mapping(attribute: "expiry", value: "$source.expiry"), ["expression.unknown-key"]),
      // One name alone may be a typo.
      (try mapping(attribute: "expiry", value: "1 + $source.expiry"), ["expression.unknown-key"]),
      // A matching pin shows the direction.
      (
        try mapping(ModelReference(pinning: new), ModelReference(name: "Bank 1")),
        ["mapping.unknown-property", "expression.unknown-key"]
      ),
    ]
    for (mapping, codes) in slips {
      let found = mapping.complete(from: new, to: old).check().filter { $0.severity == .error }
      #expect(found.map(\.code).sorted() == codes.sorted(), "\(mapping)")
    }
  }
}
