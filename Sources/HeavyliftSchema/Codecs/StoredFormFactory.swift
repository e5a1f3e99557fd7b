import Foundation
import HeavyliftModel

/// Finds the form in which a profile stores the values of Swift types.
struct StoredFormFactory {
  let profile: StorageProfile
  /// The name of the property, which is that of the element in the composite of an enumeration.
  let property: String

  func form<Value>(of type: Value.Type) throws(TypeProblem) -> StoredForm<Value> {
    let form: Any
    do {
      form = try anyForm(of: type)
    } catch {
      throw error
    }
    guard let form = form as? StoredForm<Value> else {
      preconditionFailure("the form of '\(type)' is a '\(Swift.type(of: form))'")
    }
    return form
  }

  private func anyForm<Value>(of type: Value.Type) throws(TypeProblem) -> Any {
    if type is Entity.Type { throw .entity }
    if let type = type as? any OptionalType.Type { return try type.form(self) }
    if let type = type as? any ValueConvertible.Type { return Self.plain(type) }
    if let instead = Self.otherIntegers[ObjectIdentifier(type)] { throw .integer(instead: instead) }
    guard let codable = type as? any Codable.Type else { throw .notCodable }
    if Self.isClass(type) { throw .reference }
    if let form = try rawForm(of: codable) { return form }
    switch profile {
    case .coreData: return boxed(codable)
    case .swiftData:
      if type is any CollectionType.Type { return json(codable) }
      if let cases = type as? any (CaseIterable & Codable).Type { return try caseForm(of: cases) }
      return try compositeForm(of: codable)
    }
  }

  private static let otherIntegers: [ObjectIdentifier: String] = [
    ObjectIdentifier(Int8.self): "Int16", ObjectIdentifier(UInt8.self): "Int16", ObjectIdentifier(UInt16.self): "Int32",
    ObjectIdentifier(UInt32.self): "Int64", ObjectIdentifier(UInt.self): "Int64 or Decimal",
    ObjectIdentifier(UInt64.self): "Int64 or Decimal",
  ]

  /// Returns true for a class, and for a collection of its objects. A change within an object would not be noticed.
  private static func isClass(_ type: Any.Type) -> Bool {
    if let type = type as? any OptionalType.Type { return isClass(type.wrappedType) }
    if let type = type as? any CollectionType.Type { return type.elementTypes.contains(where: isClass) }
    return type is AnyObject.Type
  }

  private static func plain<Value: ValueConvertible>(_ type: Value.Type) -> Any {
    StoredForm(
      layout: StoredLayout(type: type.attributeType),
      codec: ValueCodec<Value>(
        decode: { Value(storedValue: $0) }, encode: { $0.storedValue }, placeholder: { Placeholder.plain(type) }))
  }

  // MARK: Types with raw values

  private func rawForm(of type: any Codable.Type) throws(TypeProblem) -> Any? {
    guard let raw = type as? any RawRepresentable.Type, !(type is any OptionSet.Type && profile == .swiftData) else {
      return nil
    }
    return try rawForm(raw)
  }

  private func rawForm<Value: RawRepresentable>(_ type: Value.Type) throws(TypeProblem) -> Any? {
    guard Value.RawValue.self is any ValueConvertible.Type, !(Value.RawValue.self is any OptionalType.Type) else {
      return nil
    }
    let raw = try form(of: Value.RawValue.self)
    let rawCodec = raw.codec
    let codec = ValueCodec<Value>(
      decode: { rawCodec.decode($0).flatMap(Value.init(rawValue:)) }, encode: { try rawCodec.encode($0.rawValue) },
      placeholder: { Placeholder.firstCase(of: type) ?? rawCodec.placeholder().flatMap(Value.init(rawValue:)) })
    guard profile == .swiftData else { return StoredForm(layout: raw.layout, codec: codec) }

    let name = property
    let composite = CompositeDescription(
      name: "\(TypeName.identifier(type))_\(name)",
      elements: [AttributeDescription(name: name, type: raw.layout.type)])
    return StoredForm(
      layout: StoredLayout(
        type: .composite, composite: composite, userInfo: ["EnumType": TypeName.simple(type)]),
      codec: ValueCodec<Value>(
        decode: { value in
          guard case .composite(let elements) = value, let raw = elements[name] else { return nil }
          return codec.decode(raw)
        },
        encode: { .composite([name: try codec.encode($0)]) }, placeholder: codec.placeholder))
  }

  // MARK: Values in archives and JSON

  private func boxed<Value: Codable>(_ type: Value.Type) -> Any {
    StoredForm(
      layout: StoredLayout(
        type: .transformable, valueTransformerName: Box.transformerName, isBoxed: true),
      codec: ValueCodec<Value>(
        decode: { $0.data.flatMap { try? Box.decode(type, from: $0) } },
        encode: { value in
          let data = try Box.encode(value)
          try Self.checkReadable(type) { try Box.decode(type, from: data) }
          return .data(data)
        }, placeholder: { Placeholder.value(of: type) }))
  }

  private func json<Value: Codable>(_ type: Value.Type) -> Any {
    StoredForm(
      layout: StoredLayout(type: .binaryData),
      codec: ValueCodec<Value>(
        decode: { $0.data.flatMap { try? Box.decodeJSON(type, from: $0) } },
        encode: { value in
          let data = try Box.encodeJSON(value)
          try Self.checkReadable(type) { try Box.decodeJSON(type, from: data) }
          return .data(data)
        }, placeholder: { Placeholder.value(of: type) }))
  }

  /// Throws if a value cannot be decoded from what it encoded itself to: a `Decimal` that is not a number, for example.
  private static func checkReadable<Value>(_ type: Value.Type, _ decode: () throws -> Value) throws {
    do { _ = try decode() } catch { throw EncodingFailure(type: TypeName.scoped(type)) }
  }
}

/// Optionals, whatever they contain.
protocol OptionalType {
  static func form(_ factory: StoredFormFactory) throws(TypeProblem) -> Any
  static var none: Any { get }
  static var wrappedType: Any.Type { get }
}

extension Optional: OptionalType {
  static func form(_ factory: StoredFormFactory) throws(TypeProblem) -> Any {
    if Wrapped.self is any OptionalType.Type { throw .nestedOptional }
    let wrapped = try factory.form(of: Wrapped.self)
    let codec = wrapped.codec
    var layout = wrapped.layout
    layout.isOptional = true
    return StoredForm(
      layout: layout,
      codec: ValueCodec<Wrapped?>(
        decode: { value in
          if value.isNull { return .some(.none) }
          return codec.decode(value).map { .some($0) }
        },
        encode: { try $0.map(codec.encode) ?? .null }, placeholder: { .some(.none) }))
  }

  static var none: Any { Wrapped?(nilLiteral: ()) as Any }
  static var wrappedType: Any.Type { Wrapped.self }
}

/// Arrays, sets and dictionaries, which SwiftData's stores hold as JSON.
protocol CollectionType {
  /// A collection of one placeholder; nil if there is none.
  static var oneElement: Any? { get }
  /// The types of its elements, and of its keys.
  static var elementTypes: [Any.Type] { get }
  static func shape(_ element: (Any.Type) -> TypeShape) -> TypeShape
}

extension Array: CollectionType {
  static var oneElement: Any? { Placeholder.element(Element.self).map { [$0] } }
  static var elementTypes: [Any.Type] { [Element.self] }
  static func shape(_ element: (Any.Type) -> TypeShape) -> TypeShape { .array(element(Element.self)) }
}

extension Set: CollectionType {
  static var oneElement: Any? { Placeholder.element(Element.self).map { Set([$0]) } }
  static var elementTypes: [Any.Type] { [Element.self] }
  static func shape(_ element: (Any.Type) -> TypeShape) -> TypeShape { .set(element(Element.self)) }
}

extension Dictionary: CollectionType {
  static var oneElement: Any? {
    guard let key = Placeholder.element(Key.self), let value = Placeholder.element(Value.self) else { return nil }
    return [key: value]
  }
  static var elementTypes: [Any.Type] { [Key.self, Value.self] }
  static func shape(_ element: (Any.Type) -> TypeShape) -> TypeShape {
    .dictionary(key: element(Key.self), value: element(Value.self))
  }
}
