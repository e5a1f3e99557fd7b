import Heavylift

/// The part of a typed object that its property wrappers share: the untyped object, and how to access it.
///
/// Swift initializes the wrappers of an instance before `Entity.init` runs. So the first wrapper creates the record, the
/// others find it in `EntityConstruction`, and `Entity.init` fills it in.
final class EntityRecord {
  /// Nil for a prototype, which exists only for reflection.
  var object: ManagedObject?
  /// Keeps the context alive: an object that outlived it could not be read.
  var context: ModelContext?
  var binding: EntityBinding?
  /// The number of wrappers that were created with this record.
  private(set) var wrapperCount = 0
  /// The declarations of the wrappers in order; collected for a prototype only.
  private(set) var declarations: [any PropertyDeclaration] = []
  let isPrototype: Bool
  /// The number of the property of a prototype that was read last, by way of a key path.
  private(set) var lastRead: Int?
  /// True if the identifier of a prototype was read last, by way of a key path.
  private(set) var hasReadIdentifier = false

  init(isPrototype: Bool = false) { self.isPrototype = isPrototype }

  /// Returns the number of a new wrapper, and remembers its declaration if this is a prototype.
  func add(_ declaration: @autoclosure () -> any PropertyDeclaration) -> Int {
    if isPrototype { declarations.append(declaration()) }
    defer { wrapperCount += 1 }
    return wrapperCount
  }

  /// Notes that a property of a prototype is read.
  func noteRead(_ number: Int) { lastRead = number }

  /// Notes that the identifier of a prototype is read.
  func noteReadIdentifier() { hasReadIdentifier = true }

  /// Runs `body`; the next save of the context throws its error.
  func keeping<Result>(_ fallback: () -> Result, _ body: () throws -> Result) -> Result {
    do {
      return try body()
    } catch {
      object?.keep(error)
      return fallback()
    }
  }
}

extension EntityRecord {
  /// Returns the value that a property of a prototype reads as. Only a key path without `$` reads one.
  func prototypeValue<Value>(_ number: Int) -> Value {
    noteRead(number)
    guard let declaration = declarations[number] as? AttributeDeclaration<Value>,
      let value = declaration.prototypeValue()
    else {
      preconditionFailure("property \(number) has a type without a value to read")
    }
    return value
  }
}
