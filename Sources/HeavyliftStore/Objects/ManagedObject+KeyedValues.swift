import HeavyliftExpression
import HeavyliftModel

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
    guard let keys = KeyPath(parsing: path) else { throw ObjectMistake.badKeyPath(path).diagnostic }
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
