import Heavylift

/// The Swift source of entity classes.
struct ClassSource {
  private let classes: ClassModel
  private let model: ManagedObjectModel
  /// The name of the enumeration that contains the classes.
  private let name: String
  /// The origin of the model, in words.
  private let origin: String
  private let scope: TypeScope
  /// The names of properties in Swift, by entity and name.
  private let swiftNames: [String: [String: String]]

  init(_ classes: ClassModel, name: String, origin: String) {
    self.classes = classes
    self.name = name
    self.origin = origin
    model = classes.model
    scope = TypeScope(
      declared: Set(
        [name] + classes.model.entities.map(\.name) + classes.model.composites.map(\.name)
          + classes.enumerations.values.map(\.name)))
    swiftNames = Self.swiftNames(of: classes.model)
  }

  var text: String {
    var lines = ["// Written by 'heavylift schema from-model' from \(origin).".shownLines]
    if !classes.omissions.isEmpty {
      lines += ["//", "// The model also has these parts, which classes cannot declare:"]
      lines += classes.omissions.map { "// - \($0)".shown }
    }
    let version = classes.version.split(separator: ".").joined(separator: ", ")
    lines += [
      "", "import Foundation", "import HeavyliftSchema", "",
      "enum \(SwiftWords.written(name)): \(qualified("VersionedSchema")) {",
    ]
    lines.append("  static let versionIdentifier = \(qualified("Schema")).Version(\(version))")
    lines += list(
      "  static var models: [\(qualified("Entity")).Type]", model.entities.map { "\(SwiftWords.written($0.name)).self" }
    )
    if classes.profile == .swiftData {
      lines.append("  static var storageProfile: \(qualified("StorageProfile")) { .swiftData }")
    }
    for enumeration in Set(classes.enumerations.values.map(\.declaration)).sorted(by: { $0.name < $1.name }) {
      lines += [""] + declaration(of: enumeration)
    }
    for composite in model.composites where classes.enumerations[composite.name] == nil {
      lines += [""] + structure(composite)
    }
    for entity in model.entities { lines += [""] + declaration(of: entity) }
    return (lines + ["}"]).joined(separator: "\n") + "\n"
  }

  // MARK: Names

  private func qualified(_ type: String) -> String { scope.qualified(type) }

  /// Names in Swift: the names in the store, unless Swift or the base class does not allow them.
  private static func swiftNames(of model: ManagedObjectModel) -> [String: [String: String]] {
    var names: [String: [String: String]] = [:]
    // Ancestors come first, because their names are taken in their subclasses.
    let entities = model.entities.sorted { model.lineage(of: $0).count < model.lineage(of: $1).count }
    for entity in entities {
      var own = entity.superentityName.flatMap { names[$0] } ?? [:]
      var taken = Set(own.values)
      let properties =
        entity.attributes.map(\.name) + entity.relationships.map(\.name) + entity.fetchedProperties.map(\.name)
      for name in properties.sorted(by: { SwiftWords.isIdentifier($0) && !SwiftWords.isIdentifier($1) }) {
        var swiftName = name
        if !SwiftWords.isIdentifier(name) || SwiftWords.members.contains(name) {
          let text = name.unicodeScalars.map { $0.properties.isXIDContinue ? Character($0) : "_" }
          swiftName = String(text) + "Value"
          if swiftName.unicodeScalars.first?.properties.isXIDStart != true { swiftName = "_" + swiftName }
        }
        while !taken.insert(swiftName).inserted { swiftName += "_" }
        own[name] = swiftName
      }
      names[entity.name] = own
    }
    return names
  }

  private func swiftName(_ property: String, of entity: EntityDescription) -> String {
    swiftNames[entity.name]?[property] ?? property
  }

  /// A key path to a property: `\Track.$title`.
  private func keyPath(_ property: String, of entity: EntityDescription) -> String {
    "\\\(SwiftWords.written(entity.name)).$\(swiftName(property, of: entity))"
  }

  // MARK: Types

  private func structure(_ composite: CompositeDescription) -> [String] {
    ["  struct \(SwiftWords.written(composite.name)): \(qualified("Codable")) {"]
      + composite.elements.map { "    var \(SwiftWords.written($0.name)): \(typeName(of: $0))?" } + ["  }"]
  }

  /// An enumeration; or a structure with raw values that can take the place of one, because a model does not contain the
  /// cases.
  private func declaration(of enumeration: ClassTypes.Declaration) -> [String] {
    let name = SwiftWords.written(enumeration.name)
    switch enumeration.kind {
    case .cases(let names):
      let line = "    case \(names.map(SwiftWords.written).joined(separator: ", "))"
      let cases = line.count <= 120 ? [line] : names.map { "    case \(SwiftWords.written($0))" }
      return ["  enum \(name): \(qualified("Codable")), \(qualified("CaseIterable")) {"] + cases + ["  }"]
    case .rawValues(let type):
      let raw = qualified(SwiftValue.typeName(of: type) ?? "")
      let codable = qualified("Codable")
      return [
        "  // The model does not contain the cases. If you know them, write 'enum \(name): \(raw), \(codable)' instead.",
        "  struct \(name): \(qualified("RawRepresentable")), \(qualified("Hashable")), \(codable) {",
        "    var rawValue: \(raw)", "  }",
      ]
    }
  }

  private func typeName(of attribute: AttributeDescription) -> String {
    if attribute.type == .composite {
      return SwiftWords.written(classes.enumeration(of: attribute)?.name ?? attribute.compositeName ?? "")
    }
    return qualified(SwiftValue.typeName(of: attribute.type) ?? "")
  }

  private func declaration(of entity: EntityDescription) -> [String] {
    let isFinal = !model.entities.contains { $0.superentityName == entity.name }
    let parent = entity.superentityName.map(SwiftWords.written) ?? qualified("Entity")
    var lines = ["  \(isFinal ? "final " : "")class \(SwiftWords.written(entity.name)): \(parent) {"]
    let unique = singleConstraint(of: entity)
    lines += entity.attributes.flatMap { declaration(of: $0, of: entity, isUnique: $0.name == unique) }
    lines += entity.relationships.flatMap { declaration(of: $0, of: entity) }
    lines += entity.fetchedProperties.flatMap { declaration(of: $0) }
    lines += overrides(of: entity, unique: unique)
    return lines + ["  }"]
  }

  /// The attribute that the option `.unique` can describe: it cannot state the order of several constraints.
  private func singleConstraint(of entity: EntityDescription) -> String? {
    guard entity.uniquenessConstraints.count == 1, let names = entity.uniquenessConstraints.first?.propertyNames,
      names.count == 1, entity.attribute(named: names[0]) != nil
    else { return nil }
    return names[0]
  }

  private func overrides(of entity: EntityDescription, unique: String?) -> [String] {
    var lines: [String] = []
    if entity.isAbstract {
      let type = "\(qualified("Entity")).Type?"
      lines.append("    override class var abstractEntity: \(type) { \(SwiftWords.written(entity.name)).self }")
    }
    if let name = entity.renamingIdentifier {
      lines.append("    override class var originalName: \(qualified("String"))? { \(SwiftWords.literal(name)) }")
    }
    if let modifier = entity.versionHashModifier {
      lines.append("    override class var hashModifier: \(qualified("String"))? { \(SwiftWords.literal(modifier)) }")
    }
    if unique == nil, !entity.uniquenessConstraints.isEmpty {
      lines += list(
        "    override class var uniquenessConstraints: [\(qualified("Unique"))]",
        entity.uniquenessConstraints.map { constraint in
          "\(qualified("Unique"))(\(constraint.propertyNames.map { keyPath($0, of: entity) }.joined(separator: ", ")))"
        })
    }
    if !entity.fetchIndexes.isEmpty {
      lines += list(
        "    override class var indexes: [\(qualified("Index"))]", entity.fetchIndexes.map { index($0, entity) })
    }
    return lines
  }

  private func index(_ index: FetchIndexDescription, _ entity: EntityDescription) -> String {
    var arguments = index.elements.compactMap(\.propertyName).map { keyPath($0, of: entity) }
    arguments.append("name: \(SwiftWords.literal(index.name))")
    if index.elements.first?.isAscending == false { arguments.append("isDescending: true") }
    return "\(qualified("Index"))(\(arguments.joined(separator: ", ")))"
  }

  /// A computed property that returns a list.
  private func list(_ declaration: String, _ elements: [String]) -> [String] {
    let line = "\(declaration) { [\(elements.joined(separator: ", "))] }"
    guard line.count > 120 else { return [line] }
    let indent = String(declaration.prefix { $0 == " " })
    return ["\(declaration) {", "\(indent)  ["] + elements.map { "\(indent)    \($0)," } + [
      "\(indent)  ]", "\(indent)}",
    ]
  }

  // MARK: Properties

  private func declaration(
    of attribute: AttributeDescription, of entity: EntityDescription, isUnique: Bool
  ) -> [String] {
    let swiftName = swiftName(attribute.name, of: entity)
    var arguments: [String] = []
    if swiftName != attribute.name { arguments.append(SwiftWords.literal(attribute.name)) }
    for (isSet, option) in [
      (isUnique, ".unique"), (attribute.allowsExternalBinaryDataStorage, ".externalStorage"),
      (attribute.isTransient, ".ephemeral"),
      (attribute.preservesValueInHistoryOnDeletion, ".preserveValueOnDeletion"),
      (attribute.isIndexedBySpotlight, ".spotlight"),
    ] where isSet {
      arguments.append(option)
    }
    if attribute.type == .transformable {
      arguments.append(".transformable(by: \(SwiftWords.literal(attribute.valueTransformerName ?? "")))")
    }
    func add(_ label: String, _ text: String?) { if let text { arguments.append("\(label): \(text)") } }
    add("originalName", attribute.renamingIdentifier.map(SwiftWords.literal))
    add("hashModifier", attribute.versionHashModifier.map(SwiftWords.literal))
    add("minimum", SwiftValue.expression(attribute.validation.minimum, as: attribute.type, qualified))
    add("maximum", SwiftValue.expression(attribute.validation.maximum, as: attribute.type, qualified))
    add("minimumLength", attribute.validation.minimumLength.map(String.init))
    add("maximumLength", attribute.validation.maximumLength.map(String.init))
    add("pattern", attribute.validation.regularExpression.map(SwiftWords.literal))
    add("derivation", attribute.derivationExpression.map(SwiftWords.literal))
    // The type of an enumeration adds its name to the user info.
    let key = classes.enumeration(of: attribute)?.key
    let userInfo = attribute.userInfo.filter { $0.key != key }
    if !userInfo.isEmpty { add("userInfo", SwiftWords.literal(userInfo)) }
    var variable = "var \(SwiftWords.written(swiftName)): \(typeName(of: attribute))\(attribute.isOptional ? "?" : "")"
    if let value = SwiftValue.expression(attribute.defaultValue, as: attribute.type, qualified) {
      variable += " = \(value)"
    }
    return property(qualified("Attribute"), arguments, variable)
  }

  private func declaration(of relationship: RelationshipDescription, of entity: EntityDescription) -> [String] {
    let swiftName = swiftName(relationship.name, of: entity)
    let target = SwiftWords.written(relationship.destinationEntityName ?? "")
    let isArray = relationship.isToMany && relationship.isOrdered
    let isOrdered = isArray && classes.profile == .coreData
    let isOptional = !relationship.isToMany || classes.profile == .coreData
    var arguments: [String] = []
    if swiftName != relationship.name { arguments.append(SwiftWords.literal(relationship.name)) }
    func add(_ label: String, _ text: String?) { if let text { arguments.append("\(label): \(text)") } }
    if relationship.deleteRule != .nullify { add("deleteRule", ".\(relationship.deleteRule)") }
    if relationship.minCount != 0 { add("minimumModelCount", String(relationship.minCount)) }
    if relationship.isToMany, relationship.maxCount != 0 { add("maximumModelCount", String(relationship.maxCount)) }
    add("originalName", relationship.renamingIdentifier.map(SwiftWords.literal))
    if let inverse = ClassModel.inverse(of: relationship, of: entity, in: model) {
      if statesInverse(relationship, of: entity, inverse) {
        let isOwn = inverse.entity.name == entity.name && inverse.relationship.name == relationship.name
        // A key path to the property itself would be circular.
        add(
          isOwn ? "inverseName" : "inverse",
          isOwn ? SwiftWords.literal(relationship.name) : keyPath(inverse.relationship.name, of: inverse.entity))
      }
    } else {
      add("hasInverse", "false")
    }
    if relationship.isOptional != isOptional { add("isOptional", String(relationship.isOptional)) }
    if relationship.isOrdered != isOrdered { add("isOrdered", String(relationship.isOrdered)) }
    add("hashModifier", relationship.versionHashModifier.map(SwiftWords.literal))
    if !relationship.userInfo.isEmpty { add("userInfo", SwiftWords.literal(relationship.userInfo)) }
    let type = relationship.isToMany ? isArray ? "[\(target)]" : "\(qualified("Set"))<\(target)>" : "\(target)?"
    return property(qualified("Relationship"), arguments, "var \(SwiftWords.written(swiftName)): \(type)")
  }

  /// Returns true for one of two inverse relationships: Swift cannot compile key paths that refer to each other.
  private func statesInverse(
    _ relationship: RelationshipDescription, of entity: EntityDescription,
    _ inverse: (entity: EntityDescription, relationship: RelationshipDescription)
  ) -> Bool {
    let canState = ClassModel.leadsBack(inverse.relationship, to: entity, in: model)
    let canOtherState = ClassModel.leadsBack(relationship, to: inverse.entity, in: model)
    guard canState, canOtherState else { return canState }
    return (entity.name, relationship.name) <= (inverse.entity.name, inverse.relationship.name)
  }

  private func declaration(of property: FetchedPropertyDescription) -> [String] {
    guard let request = property.fetchRequest else { return [] }
    var arguments = [SwiftWords.literal(request.predicateString ?? "")]
    if !request.sortKeys.isEmpty {
      let keys = request.sortKeys.map { SwiftWords.literal($0.isAscending ? $0.keyPath : "-\($0.keyPath)") }
      arguments.append("sortBy: [\(keys.joined(separator: ", "))]")
    }
    if request.fetchLimit != 0 { arguments.append("fetchLimit: \(request.fetchLimit)") }
    let type = SwiftWords.written(request.entityName ?? "")
    return self.property(
      qualified("FetchedProperty"), arguments, "var \(SwiftWords.written(property.name)): [\(type)]")
  }

  /// A property with its wrapper, on one line if it fits.
  private func property(_ wrapper: String, _ arguments: [String], _ variable: String) -> [String] {
    let list = arguments.joined(separator: ", ")
    let whole = "    @\(wrapper)\(arguments.isEmpty ? "" : "(\(list))")"
    if whole.count + 1 + variable.count <= 120 { return ["\(whole) \(variable)"] }
    if whole.count <= 120 { return [whole, "    \(variable)"] }
    return ["    @\(wrapper)(", "      \(arguments.joined(separator: ",\n      "))", "    )", "    \(variable)"]
  }
}
