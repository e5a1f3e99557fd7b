import Foundation
import Heavylift

/// A short notation for models, so that a test can show several versions and compare a whole model as text.
///
/// ```text
/// Track: Item, was Song
///   seconds: Integer 32, mandatory, default 0
///   album -> Album.tracks
///   tags ->> Tag.tracks, ordered, count 1...3
///   unique title seconds
/// composite Address
///   city: String
/// ```
enum ModelText {
  // MARK: Reading

  static func model(_ text: String, name: String) -> ManagedObjectModel {
    var model = ManagedObjectModel(name: name)
    for block in blocks(text) {
      if block[0].hasPrefix("composite ") {
        let elements = block.dropFirst().map { attribute(parts($0)) }
        model.composites.append(
          CompositeDescription(name: String(block[0].dropFirst("composite ".count)), elements: elements))
      } else {
        model.entities.append(entity(block))
      }
    }
    return model
  }

  /// An entity's line followed by those of its properties.
  private static func blocks(_ text: String) -> [[String]] {
    text.split(separator: "\n").reduce(into: []) { blocks, line in
      if line.hasPrefix(" ") {
        blocks[blocks.count - 1].append(line.trimmingCharacters(in: .whitespaces))
      } else {
        blocks.append([String(line)])
      }
    }
  }

  private static func parts(_ line: String) -> [String] { line.components(separatedBy: ", ") }

  private static func entity(_ block: [String]) -> EntityDescription {
    let head = parts(block[0])
    let names = head[0].components(separatedBy: ": ")
    var entity = EntityDescription(name: names[0], superentityName: names.count > 1 ? names[1] : nil)
    for part in head.dropFirst() {
      if part == "abstract" { entity.isAbstract = true }
      if part.hasPrefix("was ") { entity.renamingIdentifier = String(part.dropFirst(4)) }
    }
    for line in block.dropFirst() {
      if line.hasPrefix("unique ") {
        entity.uniquenessConstraints.append(.init(line.dropFirst(7).split(separator: " ").map(String.init)))
      } else if line.hasPrefix("index ") {
        let name = String(line.dropFirst(6))
        entity.fetchIndexes.append(
          FetchIndexDescription(name: "by_\(name)", elements: [.init(propertyName: name)]))
      } else if line.contains(" -> ") || line.contains(" ->> ") {
        entity.relationships.append(relationship(parts(line)))
      } else {
        entity.attributes.append(attribute(parts(line)))
      }
    }
    return entity
  }

  private static func attribute(_ parts: [String]) -> AttributeDescription {
    let head = parts[0].components(separatedBy: ": ")
    let type = AttributeType(modelName: head.count > 1 ? head[1] : "") ?? .composite
    var attribute = AttributeDescription(name: head[0], type: type)
    if type == .composite { attribute.compositeName = head.count > 1 ? head[1] : nil }
    for part in parts.dropFirst() {
      let words = part.split(separator: " ", maxSplits: 1).map(String.init)
      let argument = words.count > 1 ? words[1] : ""
      switch words[0] {
      case "mandatory": attribute.isOptional = false
      case "transient": attribute.isTransient = true
      case "default": attribute.defaultValue = value(argument, type)
      case "min": attribute.validation.minimum = value(argument, type)
      case "max": attribute.validation.maximum = value(argument, type)
      case "shortest": attribute.validation.minimumLength = Int(argument)
      case "longest": attribute.validation.maximumLength = Int(argument)
      case "matches": attribute.validation.regularExpression = argument
      case "derived": attribute.derivationExpression = argument
      case "was": attribute.renamingIdentifier = argument
      default: preconditionFailure("unknown word '\(part)'")
      }
    }
    return attribute
  }

  private static func relationship(_ parts: [String]) -> RelationshipDescription {
    let isToMany = parts[0].contains(" ->> ")
    let head = parts[0].components(separatedBy: isToMany ? " ->> " : " -> ")
    let target = head[1].split(separator: ".").map(String.init)
    var relationship = RelationshipDescription(
      name: head[0], destinationEntityName: target[0], inverseName: target.count > 1 ? target[1] : nil,
      inverseEntityName: target.count > 1 ? target[0] : nil, maxCount: isToMany ? 0 : 1)
    for part in parts.dropFirst() {
      let words = part.split(separator: " ").map(String.init)
      switch words[0] {
      case "mandatory": relationship.isOptional = false
      case "transient": relationship.isTransient = true
      case "ordered": relationship.isOrdered = true
      case "was": relationship.renamingIdentifier = words[1]
      case "count":
        let bounds = words[1].components(separatedBy: "...").map { Int($0) ?? 0 }
        (relationship.minCount, relationship.maxCount) = (bounds[0], bounds[1])
      case let word:
        guard let rule = DeleteRule.allCases.first(where: { $0.modelName.lowercased() == word }) else {
          preconditionFailure("unknown word '\(part)'")
        }
        relationship.deleteRule = rule
      }
    }
    return relationship
  }

  private static func value(_ text: String, _ type: AttributeType) -> Value {
    switch type {
    case .string: .string(text)
    case .boolean: .bool(text == "true")
    case .date: .date(Date(timeIntervalSinceReferenceDate: Double(text) ?? 0))
    case .double, .float: .double(Double(text) ?? 0)
    case .decimal: .decimal(Decimal(string: text) ?? 0)
    default: .integer(Int64(text) ?? 0)
    }
  }

  // MARK: Writing

  static func text(_ model: ManagedObjectModel) -> String {
    (model.entities.map(text)
      + model.composites.map { composite in
        (["composite \(composite.name)"] + composite.elements.map { "  \(text($0))" }).joined(separator: "\n")
      }).joined(separator: "\n")
  }

  private static func text(_ entity: EntityDescription) -> String {
    var head = entity.name
    if let parent = entity.superentityName { head += ": \(parent)" }
    if entity.isAbstract { head += ", abstract" }
    if let old = entity.renamingIdentifier { head += ", was \(old)" }
    var lines = (entity.attributes.map { ($0.name, text($0)) } + entity.relationships.map { ($0.name, text($0)) })
      .sorted { $0.0 < $1.0 }.map(\.1)
    lines += entity.uniquenessConstraints.map { "unique \($0.propertyNames.joined(separator: " "))" }
    lines += entity.fetchIndexes.map { "index \($0.elements.compactMap(\.propertyName).joined(separator: " "))" }
    return ([head] + lines.map { "  \($0)" }).joined(separator: "\n")
  }

  private static func text(_ attribute: AttributeDescription) -> String {
    var text = "\(attribute.name): \(attribute.compositeName ?? attribute.type.modelName)"
    if !attribute.isOptional { text += ", mandatory" }
    if attribute.isTransient { text += ", transient" }
    if !attribute.defaultValue.isNull { text += ", default \(plain(attribute.defaultValue))" }
    let validation = attribute.validation
    if !validation.minimum.isNull { text += ", min \(plain(validation.minimum))" }
    if !validation.maximum.isNull { text += ", max \(plain(validation.maximum))" }
    if let length = validation.minimumLength { text += ", shortest \(length)" }
    if let length = validation.maximumLength { text += ", longest \(length)" }
    if let pattern = validation.regularExpression { text += ", matches \(pattern)" }
    if let expression = attribute.derivationExpression { text += ", derived \(expression)" }
    if let old = attribute.renamingIdentifier { text += ", was \(old)" }
    return text
  }

  private static func text(_ relationship: RelationshipDescription) -> String {
    var text =
      "\(relationship.name) \(relationship.isToMany ? "->>" : "->") \(relationship.destinationEntityName ?? "?")"
    if let inverse = relationship.inverseName { text += ".\(inverse)" }
    if !relationship.isOptional { text += ", mandatory" }
    if relationship.isTransient { text += ", transient" }
    if relationship.isOrdered { text += ", ordered" }
    if relationship.isToMany, relationship.minCount > 0 || relationship.maxCount > 0 {
      text += ", count \(relationship.minCount)...\(relationship.maxCount)"
    }
    if relationship.deleteRule != .nullify { text += ", \(relationship.deleteRule.modelName.lowercased())" }
    if let old = relationship.renamingIdentifier { text += ", was \(old)" }
    return text
  }

  private static func plain(_ value: Value) -> String {
    switch value {
    case .string(let text): text
    case .integer(let number): "\(number)"
    case .double(let number): "\(number)"
    case .decimal(let number): "\(number)"
    case .bool(let flag): "\(flag)"
    case .date(let date): "\(date.timeIntervalSinceReferenceDate)"
    default: "\(value)"
    }
  }

  /// A line for each entity mapping, with its property mappings and drops.
  static func text(_ mapping: MappingModel) -> String {
    mapping.entityMappings.map { mapping in
      let properties = mapping.propertyMappings.map { property in
        switch property.source {
        case .expression(let expression): "\(property.name) = \(expression)"
        case .unmapped: "\(property.name) unmapped"
        case .related(let source?, nil): "\(property.name) from \(source)"
        case .automatic, .related: "\(property.name) ?"
        }
      }
      let type = mapping.givenType.map { "\($0.word) " } ?? ""
      let (old, new) = (mapping.sourceEntityName ?? "", mapping.destinationEntityName ?? "")
      let parts = properties + mapping.droppedProperties.map { "drop \($0.name)" }
      return "\(type)\(old)\(old.isEmpty || new.isEmpty ? "" : " → ")\(new)"
        + (parts.isEmpty ? "" : ": " + parts.joined(separator: ", "))
    }.joined(separator: "\n")
  }
}
