import Foundation
public import HeavyliftArchive
import HeavyliftExpression
public import HeavyliftModel

extension ManagedObject {
  /// The value of an attribute.
  ///
  /// A name that the entity does not have is a mistake in the program, like an index out of range: it ends the program,
  /// with the nearest name. In the policies and handlers of a migration, it ends the migration instead, so that the
  /// program can tell its user that the store was not changed. Use `value(forKey:)` and `setValue(_:forKey:)` for
  /// names that are not known to be right.
  public subscript(name: String, file: StaticString = #fileID, line: UInt = #line) -> Value {
    get { keeping(.null, file, line) { try value(forKey: name) } }
    set { keeping((), file, line) { try setValue(newValue, forKey: name) } }
  }

  /// Returns the value of an attribute, and reads it from the store if necessary.
  ///
  /// In a migration, a value whose external file is missing is `nil`; the migration's report lists such files.
  public func value(forKey name: String) throws -> Value {
    let slot = try attributeSlot(name)
    noteHandled(.attribute(slot))
    if let value = try value(at: slot) { return value }
    if let context, context.isBulkLoading || context.registersEverything, let file = externalFiles[slot],
      try context.store.externalData.isMissing(file)
    {
      return .null
    }
    return try attributeValue(at: slot)
  }

  /// The value of an attribute for an expression. Throws if its file is missing, which an expression would take for
  /// nil.
  func attributeValue(forKey name: String) throws -> Value { try attributeValue(at: attributeSlot(name)) }

  /// Returns the value of the attribute with that slot.
  package func attributeValue(at slot: Int) throws -> Value {
    noteHandled(.attribute(slot))
    if let value = try value(at: slot) { return value }
    if let file = externalFiles[slot] {
      guard let context else { throw ObjectMistake.noContext(description).diagnostic }
      setHeld(try context.store.externalData.readValue(file).map { .data($0) } ?? .null, at: slot)
      externalFiles[slot] = nil
      // Reading is not a change. The file's name is kept, so that a save does not change the column.
      committedFiles[slot] = file
    }
    return attributes[slot]
  }

  /// Sets the value of an attribute. Numeric types convert to each other if nothing is lost.
  public func setValue(_ value: Value, forKey name: String) throws {
    try setAttributeValue(value, at: attributeSlot(name))
  }

  /// Sets the value of the attribute with that slot.
  package func setAttributeValue(_ value: Value, at slot: Int) throws {
    let attribute = runtime.attributes[slot]
    guard !attribute.isDerived else {
      throw ObjectMistake.derived(attribute.description.name, entity: runtime.name).diagnostic
    }
    let converted =
      if attribute.type == .composite, let column = attribute.column {
        try composite(value, elements: column.elements, path: attribute.description.name)
      } else {
        try converted(value, to: attribute)
      }
    try fulfill()
    let isInFile = hasExternalFiles && externalFiles[slot] != nil
    noteHandled(.attribute(slot))
    guard isInFile || !heldValue(at: slot).isIdentical(to: converted) else { return }
    try willChange()
    forgetFiles(at: slot)
    setHeld(converted, at: slot)
  }

  /// Records that the program has read or set a property.
  func noteHandled(_ slot: EntityRuntime.Slot) { context?.store.handledProperties?.note(slot, of: runtime) }

  /// The names of the attributes that have changed since the object was read or saved.
  public var changedAttributeNames: [String] {
    if isInserted { return runtime.attributes.map(\.description.name).sorted() }
    guard let committed else { return [] }
    return runtime.attributes.indices.filter { isChanged($0, since: committed) }
      .map { runtime.attributes[$0].description.name }.sorted()
  }

  /// Returns the stored value of an attribute, ignoring unsaved changes.
  public func committedValue(forKey name: String) throws -> Value {
    let slot = try attributeSlot(name)
    guard let committed, !isInserted else { return try value(forKey: name) }
    noteHandled(.attribute(slot))
    if let file = committed.externalFiles[slot], let context {
      return try context.store.externalData.readValue(file).map { .data($0) } ?? .null
    }
    return committed.attributes[slot]
  }

  private func converted(_ value: Value, to attribute: EntityRuntime.Attribute) throws -> Value {
    if let converted = value.converted(to: attribute.type) { return converted }
    return try converted(value, to: attribute.type, path: attribute.description.name)
  }

  private func converted(_ value: Value, to type: AttributeType, path: String) throws -> Value {
    if let converted = value.converted(to: type) { return converted }
    throw ObjectMistake.wrongType(path, entity: runtime.name, expected: type, found: value).diagnostic
  }

  /// Converts each element of a composite to its type. Throws for an element that the model does not have, because it
  /// would be lost silently.
  private func composite(_ value: Value, elements: [AttributeColumn], path: String) throws -> Value {
    guard case .composite(var values) = try converted(value, to: .composite, path: path) else { return value }
    for (name, value) in values {
      let place = "\(path).\(name)"
      guard let element = elements.first(where: { $0.name == name }) else {
        throw ObjectMistake.unknownElement(place, entity: runtime.name, known: elements.map(\.name)).diagnostic
      }
      if element.type == .composite {
        values[name] = try composite(value, elements: element.elements, path: place)
        continue
      }
      let kept = try converted(value, to: element.type, path: place)
      // Validation does not look into composites.
      if let range = element.type.integerRange, let integer = kept.integer, !range.contains(integer) {
        throw ObjectMistake.wrongKind(
          place, entity: runtime.name, expected: element.type, "an integer out of its range"
        ).diagnostic
      }
      values[name] = kept
    }
    return .composite(values)
  }

  func isChanged(_ slot: Int, since committed: Snapshot) -> Bool {
    if let file = committed.externalFiles[slot] { return externalFiles[slot] != file && committedFiles[slot] != file }
    return !attributes[slot].isIdentical(to: committed.attributes[slot])
  }

  private func attributeSlot(_ name: String) throws -> Int {
    guard case .attribute(let slot)? = runtime.slots[name] else {
      throw ObjectMistake.unknownProperty(name, entity: runtime, wanted: .attribute).diagnostic
    }
    return slot
  }

  /// Calls a function that may fail; the context's next save throws its error.
  func keeping<Result>(
    _ fallback: Result, _ file: StaticString, _ line: UInt, _ body: () throws -> Result
  ) -> Result {
    do {
      return try body()
    } catch {
      // No caller would learn of a mistake that the program has made, or of any error without a context.
      guard let context, context.throwsFailures || !error.isOfName else {
        fatalError("\(error)", file: file, line: line)
      }
      context.keep(error, of: self)
      return fallback
    }
  }
}

/// Access to attributes and relationships by keys that are known only at run time.
extension ManagedObject {
  /// Sets an attribute or a relationship to the result of an expression.
  ///
  /// ```swift
  /// for property in mapping.attributeMappings + mapping.relationshipMappings {
  ///   let value = try property.valueExpression?.expressionValue(
  ///     with: source, context: ["source": .object(source), "manager": .object(manager)])
  ///   try destination.setValue(value ?? .null, forKey: property.name)
  /// }
  /// ```
  ///
  /// A relationship accepts an object, a collection of objects or nil; nil elements of a collection are skipped.
  @_disfavoredOverload
  public func setValue(_ value: ExpressionValue, forKey key: String) throws {
    switch runtime.slots[key] {
    case .attribute(let slot):
      guard let plain = Value(value) else {
        throw ObjectMistake.wrongKind(key, entity: runtime.name, expected: runtime.attributes[slot].type, value.kind)
          .diagnostic
      }
      try setValue(plain, forKey: key)
    case .toOne:
      let objects = try targets(value, of: key, isToMany: false)
      guard objects.count <= 1 else {
        let count = objects.count.counted(as: "object")
        throw ObjectMistake.wrongTargets(key, entity: runtime.name, isToMany: false, count).diagnostic
      }
      try setObject(objects.first, forKey: key)
    case .toMany: try setObjects(targets(value, of: key, isToMany: true), forKey: key)
    case nil: throw ObjectMistake.unknownProperty(key, entity: runtime, wanted: .any).diagnostic
    }
  }

  private func targets(_ value: ExpressionValue, of key: String, isToMany: Bool) throws -> [ManagedObject] {
    if let objects = value.managedObjects { return objects }
    throw ObjectMistake.wrongTargets(key, entity: runtime.name, isToMany: isToMany, value.kindInside).diagnostic
  }

  /// Returns the values of several keys, both attributes and relationships.
  public func dictionaryWithValues(forKeys keys: some Sequence<String>) throws -> [String: ExpressionValue] {
    var values: [String: ExpressionValue] = [:]
    for key in keys { values[key] = try value(forKey: key) as ExpressionValue }
    return values
  }

  /// Sets the values of several keys, in alphabetical order of the keys.
  public func setValuesForKeys(_ values: [String: ExpressionValue]) throws {
    for (key, value) in values.sorted(by: { $0.key < $1.key }) { try setValue(value, forKey: key) }
  }

  /// Returns the value of a key path: `author.name`, `books.@count`, `books.@max.pages`.
  public func value(forKeyPath path: String) throws -> ExpressionValue {
    guard let keys = ExpressionKeyPath(parsing: path) else { throw ObjectMistake.badKeyPath(path).diagnostic }
    let environment = EvaluationEnvironment()
    let expression = MappingExpression(.keyPath(base: MappingExpression(.object), keys))
    var context = EvaluationContext(environment, object: .object(self))
    return try CompiledExpression(expression, in: environment).evaluate(in: &context)
  }

  /// The attributes of the object's entity by name, including inherited ones.
  public var attributesByName: [String: AttributeDescription] {
    Dictionary(
      runtime.attributes.map { ($0.description.name, $0.description) }, uniquingKeysWith: { first, _ in first })
  }

  /// The relationships of the object's entity by name, including inherited ones.
  public var relationshipsByName: [String: RelationshipDescription] {
    Dictionary(
      runtime.toOnes.filter { !$0.description.isImplied }.map { ($0.description.name, $0.description) }
        + runtime.toManys.map { ($0.description.name, $0.description) }, uniquingKeysWith: { first, _ in first })
  }
}

extension ExpressionValue {
  /// The managed object, if the value is one.
  public var managedObject: ManagedObject? { object as? ManagedObject }

  /// The value as managed objects: itself or, for a collection, its elements; empty for null. Nil if the value is or
  /// contains anything else.
  public var managedObjects: [ManagedObject]? {
    if isNull { return [] }
    if let managedObject { return [managedObject] }
    guard let elements else { return nil }
    var objects: [ManagedObject] = []
    objects.reserveCapacity(elements.count)
    // The value of a key path for several objects has a null element for each object without a value.
    for element in elements where !element.isNull {
      guard let object = element.managedObject else { return nil }
      objects.append(object)
    }
    return objects
  }

  /// The value's kind and, for a collection with an element that is not a managed object, the element's kind.
  package var kindInside: String {
    guard let odd = elements?.first(where: { !$0.isNull && $0.managedObject == nil }) else { return kind }
    return "\(kind) with \(odd.kind)"
  }
}

extension ManagedObject {
  /// Returns the value of a key that every object has besides its properties, as in
  /// `$source.objectID.URIRepresentation.path`.
  func standardValue(forKey key: String) -> ExpressionValue? {
    switch key {
    case "objectID": .object(ObjectIDValue(objectID, of: EntityValue(entity, in: context?.store.runtime)))
    case "entity": .object(EntityValue(entity, in: context?.store.runtime))
    default: nil
    }
  }
}

/// An object ID in expressions.
private final class ObjectIDValue: ExpressionObject, CustomStringConvertible {
  private let id: ManagedObjectID
  private let entity: EntityValue

  init(_ id: ManagedObjectID, of entity: EntityValue) {
    self.id = id
    self.entity = entity
  }

  var identity: String? { id.uriRepresentation }
  var description: String { id.uriRepresentation }

  func value(forKey key: String) throws -> ExpressionValue {
    switch key {
    case "URIRepresentation": return .uri(id.uriRepresentation)
    case "isTemporaryID": return .bool(id.isTemporary)
    case "entity": return .object(entity)
    default:
      let known = ["URIRepresentation", "entity", "isTemporaryID"]
      throw EvaluationMistake.unknownKey(key, kind: "an object ID", known: known)
    }
  }
}

/// An entity in expressions.
private final class EntityValue: ExpressionObject, CustomStringConvertible {
  private let entity: EntityDescription
  private let runtime: StoreRuntime?

  init(_ entity: EntityDescription, in runtime: StoreRuntime?) {
    self.entity = entity
    self.runtime = runtime
  }

  var identity: String? { "entity \(entity.name)" }
  var description: String { entity.name }

  func value(forKey key: String) throws -> ExpressionValue {
    switch key {
    case "name": return .string(entity.name)
    case "managedObjectClassName": return .string(entity.managedObjectClassName ?? "NSManagedObject")
    case "isAbstract": return .bool(entity.isAbstract)
    case "userInfo": return .dictionary(entity.userInfo.mapValues { .string($0) })
    case "superentity":
      let superentity = entity.superentityName.flatMap { runtime?.byName[$0]?.description }
      return superentity.map { .object(EntityValue($0, in: runtime)) } ?? .null
    default:
      let known = ["isAbstract", "managedObjectClassName", "name", "superentity", "userInfo"]
      throw EvaluationMistake.unknownKey(key, kind: "an entity description", known: known)
    }
  }
}

/// Access to attributes as Swift values.
extension ManagedObject {
  /// Returns the value of an attribute as a Swift value.
  ///
  /// ```swift
  /// let title = try track.value("title", as: String.self)
  /// let rating = try track.value("rating", as: Int?.self)
  /// ```
  ///
  /// - Parameters:
  ///   - name: The attribute's name.
  ///   - type: The type to convert to. If the attribute may be nil, pass an optional type: without a value, any other
  ///     type is an error.
  public func value<Result: ValueConvertible>(_ name: String, as type: Result.Type) throws -> Result {
    let value: Value = try value(forKey: name)
    guard let result = Result(storedValue: value) else {
      throw value.isNull
        ? ObjectMistake.noValue(name, object: description).diagnostic
        : ObjectMistake.otherSwiftType(name, object: description, expected: "\(type)", found: value).diagnostic
    }
    return result
  }

  /// Sets the value of an attribute to a Swift value, or to nil.
  ///
  /// ```swift
  /// try track.set("addedAt", to: Date())
  /// ```
  ///
  /// - Parameters:
  ///   - name: The attribute's name.
  ///   - value: The new value.
  public func set(_ name: String, to value: (some ValueConvertible)?) throws {
    try setValue(value?.storedValue ?? .null, forKey: name)
  }
}

/// Transformable attributes are opaque bytes, which a migration copies unchanged. Most of them are keyed archives,
/// which these methods read and write.
///
/// A program that has the archived classes can pass the bytes to `NSKeyedUnarchiver` itself. On Linux, an archive that
/// contains an unknown class then terminates the process, so these methods never do that with data from a store.
extension ManagedObject {
  /// Returns the keyed archive in a transformable or binary attribute, whatever classes it contains; nil for a null
  /// value.
  ///
  /// ```swift
  /// if case .object(let point)? = try pin.archive(forKey: "position")?.root {
  ///   print(point.className, point["x"])
  /// }
  /// ```
  public func archive(forKey name: String) throws -> KeyedArchive? {
    guard let data = try value(forKey: name).data else { return nil }
    return try KeyedArchive(data: data, subject: "attribute '\(name)' of \(self)")
  }

  /// Archives an object into a transformable or binary attribute.
  public func setArchived(_ object: (NSObject & NSCoding)?, forKey name: String) throws {
    guard let object else { return try setValue(.null, forKey: name) }
    let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: false)
    try setValue(.data(data), forKey: name)
  }
}

extension Error {
  /// True for a property that the entity does not have.
  fileprivate var isOfName: Bool { (self as? Diagnostic)?.code == "object.unknown-property" }
}
