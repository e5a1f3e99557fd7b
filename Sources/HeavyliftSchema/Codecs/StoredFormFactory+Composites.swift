import Foundation
import HeavyliftModel

/// The composites of SwiftData's stores.
extension StoredFormFactory {
  // MARK: Enumerations without raw values

  /// One column for each case, which contains the name of the case or nothing.
  func caseForm(of type: any (CaseIterable & Codable).Type) throws(TypeProblem) -> Any {
    try caseForm(type)
  }

  private func caseForm<Value: CaseIterable & Codable>(_ type: Value.Type) throws(TypeProblem) -> Any {
    guard let first = type.allCases.first, Mirror(reflecting: first).displayStyle == .enum else {
      return try compositeForm(of: type)
    }
    var cases: [(name: String, value: Value)] = []
    for value in type.allCases {
      guard let name = Self.caseName(of: value) else { throw .associatedValues(TypeName.scoped(type)) }
      cases.append((name, value))
    }
    let (values, names) = (cases.map(\.value), cases.map(\.name))
    let composite = CompositeDescription(
      name: TypeName.identifier(type),
      elements: names.map { AttributeDescription(name: $0, type: .string) })
    let known = CaseList(names: names, values: values)
    return StoredForm(
      layout: StoredLayout(type: .composite, composite: composite, userInfo: ["enum": TypeName.simple(type)]),
      codec: ValueCodec<Value>(
        decode: { value in
          guard case .composite(let elements) = value else { return nil }
          return known.names.firstIndex { elements[$0]?.isNull == false }.map { known.values[$0] }
        },
        encode: { value in
          guard let name = Self.caseName(of: value) else { throw EncodingFailure(type: TypeName.scoped(type)) }
          return .composite([name: .string(name)])
        },
        placeholder: { known.values.first }))
  }

  /// The name under which a case without associated values encodes itself: `{"name": {}}`.
  private static func caseName(of value: some Encodable) -> String? {
    guard let data = try? JSONEncoder().encode(value),
      let object = (try? JSONSerialization.jsonObject(with: data)) as? [String: [String: Any]], object.count == 1,
      let (name, values) = object.first, values.isEmpty
    else { return nil }
    return name
  }

  // MARK: Structures

  /// One element for each stored property.
  func compositeForm(of type: any Codable.Type) throws(TypeProblem) -> Any { try compositeForm(type) }

  private func compositeForm<Value: Codable>(_ type: Value.Type) throws(TypeProblem) -> Any {
    let probe = FieldProbe()
    guard let sample = try? Value(from: FieldDecoder(probe)) else {
      if let missing = probe.missing {
        throw .opaque(TypeName.scoped(type), reason: "no value can be made for its element \(missing)")
      }
      if probe.isKeyed, probe.keys.isEmpty { throw .unknownCases(TypeName.scoped(type)) }
      throw .opaque(TypeName.scoped(type), reason: "it decodes itself in its own way")
    }
    let mirror = Mirror(reflecting: sample)
    guard mirror.displayStyle == .struct else {
      throw mirror.displayStyle == .enum ? .unknownCases(TypeName.scoped(type)) : .noLayout
    }
    let properties = mirror.children.map { (name: $0.label ?? "", type: Swift.type(of: $0.value)) }
    let keys = try Self.keys(probe.keys, of: properties.map(\.name), type)

    var elements: [AttributeDescription] = []
    var nested: [CompositeDescription] = []
    var fields: [String: CompositeField] = [:]
    var ordered: [CompositeField] = []
    for ((name, type), key) in zip(properties, keys) {
      let (layout, codec) = try StoredFormFactory(profile: profile, property: name).erasedForm(of: type)
      var element = layout.attribute(named: name)
      // SwiftData declares every element optional, whatever the type of the stored property.
      element.isOptional = true
      elements.append(element)
      nested += (layout.composite.map { [$0] } ?? []) + layout.nested
      let field = CompositeField(name: name, codec: codec)
      fields[key] = field
      ordered.append(field)
    }
    guard !elements.isEmpty else { throw .opaque(TypeName.scoped(type), reason: "it has no stored properties") }
    return StoredForm(
      layout: StoredLayout(
        type: .composite, composite: CompositeDescription(name: TypeName.identifier(type), elements: elements),
        nested: nested, mayBeEmpty: properties.allSatisfy { $0.type is any OptionalType.Type }),
      codec: Self.codec(for: type, fields: fields, ordered: ordered))
  }

  private static func codec<Value: Codable>(
    for type: Value.Type, fields: [String: CompositeField], ordered: [CompositeField]
  ) -> ValueCodec<Value> {
    ValueCodec(
      decode: { value in
        let values: [String: StoredValue]
        switch value {
        case .composite(let elements): values = elements
        // A store cannot distinguish a composite without a value from one whose elements are all nil.
        case .null: values = [:]
        default: return nil
        }
        return try? Value(from: FieldDecoder(CompositeFields(fields: fields, values: values)))
      },
      encode: { value in
        var values: [String: StoredValue] = [:]
        for (field, child) in zip(ordered, Mirror(reflecting: value).children) {
          values[field.name] = try field.codec.encodeAny(child.value)
        }
        return .composite(values)
      },
      placeholder: { Placeholder.value(of: Value.self) })
  }

  /// Returns the coding key of each stored property.
  ///
  /// Synthesized code decodes the properties in the order of their declaration, whatever the names of their keys.
  private static func keys(_ keys: [String], of names: [String], _ type: Any.Type) throws(TypeProblem) -> [String] {
    if Set(keys) == Set(names) { return names }
    guard keys.count == names.count else {
      throw .opaque(TypeName.scoped(type), reason: "it does not encode all its stored properties and nothing else")
    }
    return keys
  }

  private func erasedForm<Value>(
    of type: Value.Type
  ) throws(TypeProblem) -> (layout: StoredLayout, codec: any AnyValueCodec) {
    let form = try form(of: type)
    return (form.layout, form.codec)
  }
}

/// The cases of an enumeration without associated values.
///
/// Unchecked: such cases have no contents that two threads could share.
private struct CaseList<Value>: @unchecked Sendable {
  let names: [String]
  let values: [Value]
}

/// A value that cannot be stored in its type's form.
struct EncodingFailure: Error, Hashable {
  var type: String
}
