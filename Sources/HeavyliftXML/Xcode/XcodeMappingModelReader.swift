import Foundation
import HeavyliftMapping
import HeavyliftModel

/// Builds a mapping model from the objects that Xcode's editor saves.
///
/// About a twentieth of the objects in real files are left over from deleted mappings, so the reader follows references
/// from the mapping model instead of reading the list of objects.
struct XcodeMappingModelReader {
  let store: XcodeObjectStore
  var findings: XcodeMappingFindings
  /// The owner of each object of the mapping model in words, by the object's ID.
  private var owners: [String: String] = [:]

  static func read(_ root: XMLElement) throws(DiagnosticList) -> XcodeMappingReading {
    var findings = XcodeMappingFindings()
    let store = XcodeObjectStore(root: root, &findings)
    var reader = XcodeMappingModelReader(store: store, findings: findings)
    return try reader.reading(root)
  }

  private init(store: XcodeObjectStore, findings: XcodeMappingFindings) {
    self.store = store
    self.findings = findings
  }

  private mutating func reading(_ root: XMLElement) throws(DiagnosticList) -> XcodeMappingReading {
    let object = try mappingModelObject(root)
    owners[object.id] = "the file"
    var reading = XcodeMappingReading(
      mappingModel: MappingModel(
        copying: .listed, unmentionedEntities: .dropped, entityMappings: entityMappings(object),
        markup: MappingMarkup(location: object.location)))
    let (source, destination) = (object.text("sourcemodelpath"), object.text("destinationmodelpath"))
    reading.sourceModelPath = source?.value
    reading.destinationModelPath = destination?.value
    reading.mappingModel.markup.take(source, as: "source")
    reading.mappingModel.markup.take(destination, as: "destination")
    reading.mappingModel.source.name = reading.sourceModelPath.flatMap(Self.modelName)
    reading.mappingModel.destination.name = reading.destinationModelPath.flatMap(Self.modelName)
    reading.sourceModel = embeddedModel("sourcemodeldata", of: object, name: reading.mappingModel.source.name)
    reading.destinationModel = embeddedModel(
      "destinationmodeldata", of: object, name: reading.mappingModel.destination.name)
    noteLeftOvers(root)
    reading.diagnostics = findings.diagnostics.sortedByPlace()
    return reading
  }

  /// Finds the mapping model. A second one without entity mappings is a leftover; if several have entity mappings, the
  /// file is ambiguous.
  private mutating func mappingModelObject(_ root: XMLElement) throws(DiagnosticList) -> XcodeObject {
    let all = store.objects(of: .mappingModel)
    let filled = all.filter { $0.references["entitymappings"]?.isEmpty == false }
    if let only = filled.first ?? all.first, max(filled.count, 1) == 1 { return only }
    if filled.isEmpty {
      findings.report(
        .error, "no-mapping-model", "the file has no mapping model",
        "restore it from a backup: it needs an object of type '\(XcodeObject.Kind.mappingModel.rawValue)'",
        at: root.location)
    } else {
      findings.report(
        .error, "several-mapping-models", "the file has \(filled.count) mapping models with entity mappings",
        "restore it from a backup: it is unclear which one is meant", at: filled[1].location)
    }
    throw DiagnosticList(findings.diagnostics)
  }

  /// Returns `Music 2` for `Music.xcdatamodeld/Music 2.xcdatamodel`.
  private static func modelName(of path: String) -> String? {
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    for suffix in [".xcdatamodel", ".xcdatamodeld", ".mom", ".momd"] where name.hasSuffix(suffix) {
      return String(name.dropLast(suffix.count))
    }
    return name.isEmpty ? nil : name
  }

  // MARK: Entity mappings

  private mutating func entityMappings(_ model: XcodeObject) -> [EntityMappingDescription] {
    let objects = objects(.entityMapping, "entitymappings", of: model, owner: "the mapping model")
    var numbered: [(number: Int, mapping: EntityMappingDescription, location: DiagnosticLocation?)] = []
    for object in objects {
      let mapping = entityMapping(object)
      numbered.append((number(of: object, mapping.name), mapping, object.location(of: "mappingnumber")))
    }
    let ordered = numbered.enumerated()
      .sorted { ($0.element.number, $0.offset) < ($1.element.number, $1.offset) }.map(\.element)
    for (first, second) in zip(ordered, ordered.dropFirst()) where first.number == second.number {
      findings.report(
        .warning, "repeated-number",
        "entity mappings '\(first.mapping.name)' and '\(second.mapping.name)' have the same number \(first.number)",
        "their order is ambiguous; here, '\(first.mapping.name)' runs first", at: second.location)
    }
    return ordered.map(\.mapping)
  }

  private mutating func number(of object: XcodeObject, _ name: String) -> Int {
    guard let text = object.text("mappingnumber") else {
      findings.report(
        .warning, "no-number", "entity mapping '\(name)' has no number", "it runs before entity mappings that have one",
        at: object.location)
      return .min
    }
    if let number = Int(text.value.trimmingCharacters(in: .whitespacesAndNewlines)) { return number }
    findings.report(
      .error, "not-a-number", "entity mapping '\(name)' has invalid number '\(text.value)'",
      "restore the file from a backup, or write a whole number: mappings run in the order of their numbers",
      at: text.places.start)
    return .max
  }

  private mutating func entityMapping(_ object: XcodeObject) -> EntityMappingDescription {
    var markup = MappingMarkup(location: object.location)
    func text(_ value: String, as attribute: String) -> XcodeText? {
      guard let text = object.text(value) else { return nil }
      markup.take(text, as: attribute)
      return text
    }
    var mapping = EntityMappingDescription(
      source: text("sourcename", as: "source")?.value, destination: text("destinationname", as: "destination")?.value,
      policy: text("migrationpolicyclassname", as: "policy")?.value)
    if let name = text("name", as: "name")?.value, name != mapping.name { mapping.givenName = name }
    let place = "entity mapping '\(mapping.name)'"
    if let filter = text("sourcefilterpredicatestring", as: "where") {
      mapping.filter = self.filter(filter)
    }
    // The only source expression found in real files was a mistake, but had no effect because of this flag.
    if object.text("autogenerateexpression")?.value == "0" {
      mapping.sourceExpression = expression("sourceexpressiondata", of: object, place)
    }
    mapping.userInfo = userInfo(of: object, place)
    mapping.markup = markup
    mapping.propertyMappings =
      propertyMappings(.attribute, .attributeMapping, "attributemappings", of: object, place)
      + propertyMappings(.relationship, .relationshipMapping, "relationshipmappings", of: object, place)
    if mapping.sourceEntityName == nil, mapping.destinationEntityName == nil {
      findings.report(
        .note, "empty-mapping", "\(place) has neither a source nor a destination entity", "it does nothing",
        at: object.location)
    }
    return mapping
  }

  // MARK: Property mappings

  private mutating func propertyMappings(
    _ kind: PropertyMappingDescription.Kind, _ objectKind: XcodeObject.Kind, _ name: String, of object: XcodeObject,
    _ place: String
  ) -> [PropertyMappingDescription] {
    var mappings: [PropertyMappingDescription] = []
    for property in objects(objectKind, name, of: object, owner: place) {
      if let mapping = propertyMapping(kind, property, of: place) { mappings.append(mapping) }
    }
    // The references in a file have no order; Xcode's compiler sorts property mappings by name.
    return mappings.enumerated().sorted { ($0.element.name, $0.offset) < ($1.element.name, $1.offset) }.map(\.element)
  }

  private mutating func propertyMapping(
    _ kind: PropertyMappingDescription.Kind, _ object: XcodeObject, of owner: String
  ) -> PropertyMappingDescription? {
    guard let name = object.text("name") else {
      findings.report(
        .warning, "nameless-property",
        "\(kind == .attribute ? "an" : "a") \(kind.rawValue) mapping of \(owner) names no "
          + kind.rawValue, "it is skipped, as in Xcode", at: object.location)
      return nil
    }
    let place = "\(kind.rawValue) '\(name.value)' of \(owner)"
    var markup = MappingMarkup(location: object.location)
    markup.take(name, as: "name")
    let source = source(of: object, kind, place, &markup)
    return PropertyMappingDescription(
      kind, name: name.value, source: source, userInfo: userInfo(of: object, place), markup: markup)
  }

  private mutating func source(
    of object: XcodeObject, _ kind: PropertyMappingDescription.Kind, _ place: String, _ markup: inout MappingMarkup
  ) -> PropertyMappingDescription.Source {
    // The presence of the data decides, not the flag next to it: most files that have the flag say "automatic".
    if object.values["valueexpressiondata"] != nil {
      return expression("valueexpressiondata", of: object, place).map { .expression($0) } ?? .unmapped
    }
    guard kind == .relationship else { return .automatic }
    let mapping = object.text("sourcemappingname")
    let path = object.text("sourcekeypath")
    markup.take(mapping, as: "mapping")
    markup.take(path, as: "from")
    guard mapping != nil || path != nil else { return .automatic }
    return .related(from: path.flatMap { keyPath($0) }, through: mapping?.value)
  }

  // MARK: References

  /// Returns the objects that a relationship refers to. Each can belong to only one other object.
  private mutating func objects(
    _ kind: XcodeObject.Kind, _ name: String, of object: XcodeObject, owner: String
  ) -> [XcodeObject] {
    var found: [XcodeObject] = []
    for reference in object.references[name] ?? [] {
      guard let target = store.objects[reference.id] else {
        findings.report(
          .error, "dangling-reference", "\(owner) refers to object '\(reference.id)', which is not in the file",
          "restore the file from a backup: \(kind.words) is missing", at: reference.location)
        continue
      }
      guard target.kind == kind else {
        findings.report(
          .error, "wrong-type",
          "\(owner) refers to object '\(reference.id)' as \(kind.words), but it is \(target.kind.words)",
          "restore the file from a backup", at: reference.location)
        continue
      }
      if let other = owners[target.id] {
        findings.report(
          .error, "shared-object",
          other == owner
            ? "\(owner) refers to object '\(reference.id)' twice"
            : "\(owner) refers to object '\(reference.id)', which already belongs to \(other)",
          "restore the file from a backup",
          at: reference.location)
        continue
      }
      owners[target.id] = owner
      found.append(target)
    }
    return found
  }

  private mutating func noteLeftOvers(_ root: XMLElement) {
    let leftOvers = store.ids.filter { owners[$0] == nil }
    guard let first = leftOvers.first.flatMap({ store.objects[$0] }) else { return }
    let isOne = leftOvers.count == 1
    findings.report(
      .note, "left-overs",
      isOne
        ? "object '\(first.id)' does not belong to any mapping"
        : "\(leftOvers.count) objects do not belong to any mapping; the first is '\(first.id)'",
      isOne
        ? "it is left over from a deleted mapping, and ignored"
        : "they are left over from deleted mappings, and ignored", at: first.location)
  }
}

extension MappingMarkup {
  /// Records a text's location under the name that the attribute has in mapping files, because checks use that name.
  fileprivate mutating func take(_ text: XcodeText?, as attribute: String) {
    guard let text else { return }
    attributes[attribute] = Attribute(name: text.places.start, value: text.places)
  }
}
