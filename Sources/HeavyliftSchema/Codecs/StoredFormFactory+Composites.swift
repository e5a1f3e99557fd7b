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
  static func caseName(of value: some Encodable) -> String? {
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

    var elements: [AttributeDescription] = []
    var nested: [CompositeDescription] = []
    var fields: [CompositeField] = []
    var mayBeEmpty = true
    for (name, type) in properties {
      let (layout, codec) = try StoredFormFactory(profile: profile, property: name).erasedForm(of: type)
      var element = layout.attribute(named: name)
      // SwiftData declares every element optional, whatever the type of the stored property.
      element.isOptional = true
      elements.append(element)
      nested += (layout.composite.map { [$0] } ?? []) + layout.nested
      fields.append(CompositeField(name: name, codec: codec))
      mayBeEmpty = mayBeEmpty && (layout.isOptional || layout.mayBeEmpty)
    }
    guard !elements.isEmpty else { throw .opaque(TypeName.scoped(type), reason: "it has no stored properties") }
    let keys = CompositeKeys<Value>(properties: fields.map { ($0.name, $0.codec) }, keys: probe.keys)
    let codec = Self.codec(for: type, fields, keys: try keys.byProperty(sample))
    try keys.checkRoundTrip(sample, codec)
    return StoredForm(
      layout: StoredLayout(
        type: .composite, composite: CompositeDescription(name: TypeName.identifier(type), elements: elements),
        nested: nested, mayBeEmpty: mayBeEmpty),
      codec: codec)
  }

  private static func codec<Value: Codable>(
    for type: Value.Type, _ ordered: [CompositeField], keys: [String]
  ) -> ValueCodec<Value> {
    let fields = Dictionary(uniqueKeysWithValues: zip(keys, ordered))
    return ValueCodec(
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
