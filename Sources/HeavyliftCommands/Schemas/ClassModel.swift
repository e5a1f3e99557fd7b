import Foundation
import Heavylift

/// A model without the parts that entity classes cannot declare, and a list of these parts.
struct ClassModel {
  /// The form of composite types that the classes need.
  enum Profile: String {
    case coreData
    case swiftData
  }

  /// The model that the classes describe.
  private(set) var model: ManagedObjectModel
  let profile: Profile
  /// The version that the classes state.
  let version: String
  /// The enumerations that the classes need, by the name of their composite type.
  private(set) var enumerations: [String: ClassTypes.Enumeration] = [:]
  /// The parts that the classes lack, in words.
  private(set) var omissions: [String] = []
  private let original: ManagedObjectModel

  /// - Throws: `DiagnosticList` if the model has mistakes, or names that no class can have.
  init(_ original: ManagedObjectModel, version: String) throws(DiagnosticList) {
    self.original = original
    self.version = version
    model = original
    profile = original.composites.isEmpty ? .coreData : .swiftData
    let mistakes = original.check().filter { $0.severity == .error } + Self.impossibleNames(original)
    guard mistakes.isEmpty else { throw DiagnosticList(mistakes) }
    reduce()
  }

  /// The entities whose version hash the classes do not have.
  var entitiesWithOtherHashes: [String] {
    let (old, new) = (original.versionHashes, model.versionHashes)
    return old.keys.filter { old[$0] != new[$0] }.sorted()
  }

  /// The name of an entity is the name of its class, so a class cannot have another one.
  private static func impossibleNames(_ model: ManagedObjectModel) -> [Diagnostic] {
    var mistakes: [Diagnostic] = []
    let entities = Set(model.entities.map(\.name))
    let hidden = TypeScope(declared: entities.union(model.composites.map(\.name))).hiddenModules
    for (kind, name, location) in model.entities.map({ ("entity", $0.name, $0.markup.location) })
      + model.composites.map({ ("composite type", $0.name, $0.markup.location) })
    where !SwiftWords.isIdentifier(name) || hidden.contains(name) || kind != "entity" && entities.contains(name) {
      mistakes.append(
        Diagnostic(
          .error, code: "schema.impossible-class-name",
          problem: "\(kind) \(name.quotedName) has a name that no class of its own can have",
          remedy: "keep this version as a model file, or rename it in a new version", location: location))
    }
    return mistakes
  }

  // MARK: Reduction

  private mutating func reduce() {
    model.markup = Markup()
    model.statedVersionHashes = [:]
    let identifiers = original.versionIdentifiers.subtracting([version, ""])
    if !identifiers.isEmpty {
      omit("version identifiers", identifiers.sorted().map { $0.quotedName }.joined(separator: ", "))
    }
    model.versionIdentifiers = [version]
    for configuration in model.configurations { omit("configuration \(configuration.name.quotedName)") }
    model.configurations = []
    for template in model.fetchRequestTemplates { omit("fetch request template \(template.name.quotedName)") }
    model.fetchRequestTemplates = []
    reduceComposites()
    for index in model.entities.indices {
      let entity = reducedProperties(of: model.entities[index])
      model.entities[index] = entity
    }
    // Inverses, constraints and indexes refer to properties that may be gone now.
    let reduced = model
    for index in model.entities.indices {
      let entity = reducedReferences(of: model.entities[index], in: reduced)
      model.entities[index] = entity
    }
  }

  mutating func omit(_ place: String, _ part: String? = nil) {
    omissions.append(part.map { "\(place): \($0)" } ?? place)
  }

  private mutating func reduceComposites() {
    reduceEnumerations()
    for index in model.composites.indices {
      let name = model.composites[index].name
      for element in model.composites[index].elements.indices {
        let old = model.composites[index].elements[element]
        let place = "composite type \(name.quotedName), element \(old.name.quotedName)"
        // SwiftData declares every element optional.
        var new = AttributeDescription(name: old.name, type: old.type, compositeName: old.compositeName)
        if let enumeration = enumeration(of: old) { new.userInfo = [enumeration.key: enumeration.name] }
        for fact in Self.changes(from: old, to: new) { omit(place, fact) }
        model.composites[index].elements[element] = new
      }
      let unusable = model.composites[index].elements.filter {
        !SwiftWords.isIdentifier($0.name) || $0.type != .composite && SwiftValue.typeName(of: $0.type) == nil
          || $0.type == .transformable
      }
      for element in unusable {
        omit("composite type \(name.quotedName), element \(element.name.quotedName)", "it has no Swift counterpart")
      }
      model.composites[index].elements.removeAll { element in unusable.contains { $0.name == element.name } }
    }
    let used = usedComposites()
    for composite in model.composites where !used.contains(composite.name) {
      omit("composite type \(composite.name.quotedName)", "no attribute uses it")
    }
    model.composites.removeAll { !used.contains($0.name) }
  }

  /// Gives the composite type of each enumeration the name that it has in a schema.
  private mutating func reduceEnumerations() {
    let known = ClassTypes(model).enumerations
    func rename(_ attribute: inout AttributeDescription) {
      guard attribute.type == .composite, let enumeration = attribute.compositeName.flatMap({ known[$0] }) else {
        return
      }
      attribute.compositeName = enumeration.composite.name
    }
    for (name, enumeration) in known.sorted(by: { $0.key < $1.key }) {
      let composite = enumeration.composite.name
      if name != composite {
        omit("composite type \(name.quotedName)", "its name, which becomes \(composite.quotedName)")
      }
      enumerations[composite] = enumeration
    }
    var seen: Set<String> = []
    model.composites = model.composites.compactMap { old in
      var composite = old
      composite.name = known[old.name]?.composite.name ?? old.name
      for element in composite.elements.indices { rename(&composite.elements[element]) }
      return seen.insert(composite.name).inserted ? composite : nil
    }
    for entity in model.entities.indices {
      for attribute in model.entities[entity].attributes.indices {
        rename(&model.entities[entity].attributes[attribute])
      }
    }
  }

  /// Returns the enumeration that an attribute's values have; `nil` if it has none.
  func enumeration(of attribute: AttributeDescription) -> ClassTypes.Enumeration? {
    attribute.type == .composite ? attribute.compositeName.flatMap { enumerations[$0] } : nil
  }

  /// The composite types that attributes use, directly or within others, except those without elements.
  private func usedComposites() -> Set<String> {
    let byName = Dictionary(model.composites.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    var used: Set<String> = []
    var waiting = model.entities.flatMap(\.attributes).filter { $0.type == .composite }.compactMap(\.compositeName)
    while let name = waiting.popLast() {
      guard let composite = byName[name], !composite.elements.isEmpty, used.insert(name).inserted else { continue }
      waiting += composite.elements.compactMap(\.compositeName)
    }
    return used
  }

  /// The changes that a reduction makes, in words.
  static func changes(from old: AttributeDescription, to new: AttributeDescription) -> [String] {
    func model(_ attribute: AttributeDescription) -> ManagedObjectModel {
      ManagedObjectModel(entities: [EntityDescription(name: "E", attributes: [attribute])])
    }
    return ModelDifference(from: model(old), to: model(new)).entities.flatMap(\.properties).flatMap(\.changes)
      .map(\.description)
  }
}
