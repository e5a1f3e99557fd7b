import HeavyliftMapping
public import HeavyliftModel

/// Random objects of a model, generated from a seed, that obey the model's rules: some of each entity, values of all
/// kinds, and various relationships.
///
/// ```swift
/// let graph = RandomGraph(music1, seed: 7, values: ["Track.json": ["{}", "not JSON", .null]]).graph
/// ```
///
/// The values that a pattern or a transformer accepts are unknown: such attributes get their default, or one of the
/// given values.
public struct RandomGraph {
  /// The objects.
  public let graph: ObjectGraph

  /// Generates objects.
  ///
  /// - Parameters:
  ///   - model: The version of the model that the objects belong to.
  ///   - seed: The seed, which determines the whole graph.
  ///   - objectsPerEntity: The maximum number of objects of each entity.
  ///   - values: Values for some attributes, by `Entity.attribute`; each object gets one of them.
  ///   - includesExtremes: True to include the extreme values of attributes.
  public init(
    _ model: ManagedObjectModel, seed: UInt64, objectsPerEntity: Int = 4, values: [String: [Value]] = [:],
    includesExtremes: Bool = true
  ) {
    self.init(
      model, seed: seed, objectsPerEntity: objectsPerEntity, values: values, includesExtremes: includesExtremes,
      cases: [])
  }

  /// - Parameter cases: The cases of the mapping's filters: half of the objects get values that the filters mention.
  init(
    _ model: ManagedObjectModel, seed: UInt64, objectsPerEntity: Int, values: [String: [Value]],
    includesExtremes: Bool, cases: [FilterCase]
  ) {
    self.init(model, seed: seed, values, cases) { random, _ in
      Int.random(in: 0...max(0, objectsPerEntity), using: &random)
    } value: { attribute, _, random in
      VariedValues(attribute, model: model).random(&random, includesExtremes)
    }
  }

  /// Generates many objects with ordinary values, the same number of each entity.
  ///
  /// - Parameters:
  ///   - count: The number of objects. There may be fewer if the model's rules do not allow as many.
  ///   - mappings: The mapping models for stores of the model: half of the objects get values that their filters mention.
  package init(_ model: ManagedObjectModel, seed: UInt64, count: Int, mappings: [CompleteMappingModel] = []) {
    let entityCount = max(1, model.entities.count { !$0.isAbstract })
    var place = 0
    let unique = Set(model.entities.flatMap { $0.uniquenessConstraints.flatMap(\.propertyNames) })
    self.init(model, seed: seed, [:], FilterCase.all(of: mappings, in: model)) { _, _ in
      place += 1
      // The remainder goes to the first entities.
      return count / entityCount + (place <= count % entityCount ? 1 : 0)
    } value: { attribute, number, random in
      VariedValues(attribute, model: model)
        .ordinary(&random, number: unique.contains(attribute.name) ? number : nil)
    }
  }

  /// - Parameters:
  ///   - count: Returns the number of objects of an entity.
  ///   - value: Returns the value of an attribute of an object with a number.
  private init(
    _ model: ManagedObjectModel, seed: UInt64, _ values: [String: [Value]], _ cases: [FilterCase],
    count: (inout SeededGenerator, GraphEntity) -> Int,
    value: (AttributeDescription, Int, inout SeededGenerator) -> Value?
  ) {
    let searches = cases.compactMap { FilterSearch($0, model: model) }
    var random = SeededGenerator(seed: seed)
    let entities = model.entities.filter { !$0.isAbstract }.sorted { $0.name < $1.name }
      .map { GraphEntity($0, in: model) }
    var objects: [ObjectGraph.Object] = []
    for entity in entities {
      let attributes = entity.storedAttributes.map { attribute in
        (
          attribute, given: model.givenValues(of: attribute.name, in: entity.name, values),
          suggested: searches.filter { $0.entityName == entity.name }.flatMap { $0.suggestedValues(of: attribute) }
        )
      }
      for number in 0..<count(&random, entity) {
        var object = ObjectGraph.Object(
          "\(entity.name.prefix(1).lowercased())\(entity.name.dropFirst()) \(number + 1)", entityName: entity.name)
        for (attribute, given, suggested) in attributes {
          if let value = given?.randomElement(using: &random) {
            object.attributes[attribute.name] = value
          } else if !suggested.isEmpty, Bool.random(using: &random), let value = suggested.randomElement(using: &random)
          {
            object.attributes[attribute.name] = value
          } else if let value = value(attribute, objects.count + 1, &random) {
            object.attributes[attribute.name] = value
          }
        }
        objects.append(object)
      }
    }
    var links = RandomLinks(objects, entities, model)
    links.connect(&random)
    graph = ObjectGraph(modelName: model.name, objects: links.valid)
  }

  /// Returns a mistake for each name that is not an attribute, and suggests the nearest attribute.
  static func mistakes(in names: some Sequence<String>, _ model: ManagedObjectModel) -> [Diagnostic] {
    let known = model.entities.flatMap { entity in
      GraphEntity(entity, in: model).storedAttributes.map { "\(entity.name).\($0.name)" }
    }
    return names.sorted().filter { !known.contains($0) }.map { name in
      Diagnostic(
        .error, code: "laws.unknown-attribute",
        problem: "values are given for \(name.quotedName), which is not an attribute",
        remedy: known.suggestion(for: name, kind: "attribute"))
    }
  }
}

extension ManagedObjectModel {
  /// Returns the given values of an attribute of the entity, or of an entity that it inherits from.
  fileprivate func givenValues(of attribute: String, in name: String, _ values: [String: [Value]]) -> [Value]? {
    guard !values.isEmpty, let entity = entity(named: name) else { return nil }
    return lineage(of: entity).lazy.compactMap { values["\($0.name).\(attribute)"] }.first { !$0.isEmpty }
  }
}
