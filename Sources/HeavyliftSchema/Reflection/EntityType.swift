import HeavyliftConcurrency

/// The facts about an entity class that its property wrappers state, read once for each class.
final class EntityType: Sendable {
  let type: Entity.Type
  /// The superclass; nil if it is `Entity` itself.
  let superclass: Entity.Type?
  /// Own and inherited properties, by the number of their wrapper.
  let properties: [EntityProperty]
  /// The names of the class's own stored properties that have no wrapper.
  let unmarked: [String]

  var name: String { TypeName.simple(type) }
  var scopedName: String { TypeName.scoped(type) }
  var ownProperties: [EntityProperty] { properties.filter { $0.declaringType == type } }

  private static let known = Locked<[ObjectIdentifier: EntityType]>([:])

  static func of(_ type: Entity.Type) -> EntityType {
    if let known = known.withLock({ $0[ObjectIdentifier(type)] }) { return known }
    // Outside the lock, because initializers may run code of the user's.
    let reflected = EntityType(type)
    return known.withLock { known in
      if let other = known[ObjectIdentifier(type)] { return other }
      known[ObjectIdentifier(type)] = reflected
      return reflected
    }
  }

  private init(_ type: Entity.Type) {
    let prototype = Self.prototype(of: type)
    let declarations = prototype.record.declarations
    var properties: [EntityProperty] = []
    var unmarked: [String] = []
    var superclass: Entity.Type?
    var mirror: Mirror? = Mirror(reflecting: prototype)
    while let level = mirror, let declaring = level.subjectType as? Entity.Type, declaring != Entity.self {
      if declaring != type, superclass == nil { superclass = declaring }
      for child in level.children {
        let label = child.label ?? ""
        if let wrapped = child.value as? any WrappedProperty {
          let declaration = declarations[wrapped.number]
          let swiftName = label.hasPrefix("_") ? String(label.dropFirst()) : label
          properties.append(
            EntityProperty(
              name: declaration.statedName ?? swiftName, swiftName: swiftName, number: wrapped.number,
              declaringType: declaring, declaration: declaration))
        } else if declaring == type, !(child.value is any TransientProperty), !label.hasPrefix("$__lazy_storage") {
          unmarked.append(label)
        }
      }
      mirror = level.superclassMirror
    }
    self.type = type
    self.superclass = superclass
    self.properties = properties.sorted { $0.number < $1.number }
    self.unmarked = unmarked
  }

  /// Creates an instance that belongs to no store.
  static func prototype(of type: Entity.Type) -> Entity {
    EntityConstruction.creating(with: EntityRecord(isPrototype: true)) {
      type.init(backing: EntityBacking(object: nil, context: nil, binding: nil))
    }
  }

  /// Returns the property that a key path leads to: `\Track.$title`. Nil if it leads to something else.
  static func property(at path: AnyKeyPath) -> EntityProperty? {
    guard let root = Swift.type(of: path).rootType as? Entity.Type else { return nil }
    let prototype = prototype(of: root)
    guard let reference = value(of: prototype, at: path) as? any PropertyReference,
      reference.place.record === prototype.record
    else { return nil }
    return of(root).properties.first { $0.number == reference.place.number }
  }

  /// Returns the property that a key path without `$` is: `\Track.title`. Nil if it is none.
  ///
  /// A computed property may read another one, and so does a longer path. But neither can be set, or has the same type.
  static func property(readBy path: AnyKeyPath, of type: Entity.Type) -> EntityProperty? {
    guard "\(Swift.type(of: path))".hasPrefix("ReferenceWritableKeyPath"),
      let number = record(reading: path, of: type)?.lastRead,
      let property = of(type).properties.first(where: { $0.number == number })
    else { return nil }
    if let attribute = property.declaration as? any AttributeDeclaring,
      attribute.valueType != Swift.type(of: path).valueType
    {
      return nil
    }
    return property
  }

  /// Returns the attribute that a key path without `$` is; nil if it is something else.
  static func attribute(readBy path: AnyKeyPath, of type: Entity.Type) -> EntityProperty? {
    property(readBy: path, of: type).flatMap { $0.declaration is any AttributeDeclaring ? $0 : nil }
  }

  /// True if a key path reads the identifier: `\Track.persistentModelID`.
  static func isIdentifier(_ path: AnyKeyPath, of type: Entity.Type) -> Bool {
    record(reading: path, of: type)?.hasReadIdentifier ?? false
  }

  private static func record(reading path: AnyKeyPath, of type: Entity.Type) -> EntityRecord? {
    guard let root = Swift.type(of: path).rootType as? Entity.Type, of(type).isKind(of: root) else { return nil }
    let prototype = prototype(of: type)
    return value(of: prototype, at: path) == nil ? nil : prototype.record
  }

  private static func value(of prototype: Entity, at path: AnyKeyPath) -> Any? { prototype[keyPath: path] }
}

/// A property of an entity class.
struct EntityProperty: Sendable {
  /// The name in the store.
  let name: String
  /// The name in the class.
  let swiftName: String
  /// The number of its wrapper in each instance.
  let number: Int
  let declaringType: Entity.Type
  let declaration: any PropertyDeclaration
}
