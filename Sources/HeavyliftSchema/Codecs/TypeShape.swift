import Foundation
import HeavyliftModel

/// The form in which the values of a type encode themselves, with that of their elements.
///
/// Two versions of a type can be compared by it: values that the older one encoded can be decoded as the newer one, or not.
indirect enum TypeShape: Hashable, Sendable {
  /// A value without known elements, by the name of its type.
  case plain(String)
  case optional(TypeShape)
  case array(TypeShape)
  case set(TypeShape)
  case dictionary(key: TypeShape, value: TypeShape)
  /// The cases of an enumeration, as they are encoded.
  case cases([String], CaseForm)
  /// A structure by its coding keys.
  case structure([Element])

  enum CaseForm: Hashable, Sendable {
    /// Encoded by name, as Swift does without raw values.
    case name
    case rawText
    /// A number or another raw value.
    case rawValue
  }

  struct Element: Hashable, Sendable {
    var key: String
    var shape: TypeShape
    var text: String
  }

  init(of type: Any.Type) { self.init(of: type, within: []) }

  private init(of type: Any.Type, within open: Set<ObjectIdentifier>) {
    self = .plain(TypeName.simple(type))
    if let optional = type as? any OptionalType.Type {
      self = .optional(TypeShape(of: optional.wrappedType, within: open))
    } else if let collection = type as? any CollectionType.Type {
      self = collection.shape { TypeShape(of: $0, within: open) }
    } else if type is any ValueConvertible.Type || open.contains(ObjectIdentifier(type)) {
      return
    } else if let cases = type as? any (CaseIterable & Codable).Type, let names = Self.cases(cases) {
      self = .cases(names, Self.form(of: cases))
    } else if let codable = type as? any Decodable.Type, let fields = Self.fields(codable) {
      let inner = open.union([ObjectIdentifier(type)])
      self = .structure(
        fields.map { field in
          let shape = TypeShape(of: field.type, within: inner)
          return Element(
            key: field.key, shape: field.isOptional ? .optional(shape) : shape,
            text: "\(field.key): \(TypeName.simple(field.type))\(field.isOptional ? "?" : "")\(shape.elements)")
        })
    }
  }

  private static func cases<Value: CaseIterable & Codable>(_ type: Value.Type) -> [String]? {
    let names = type.allCases.map { value in
      (value as? any RawRepresentable).map { "\($0.rawValue)" } ?? StoredFormFactory.caseName(of: value)
    }
    let known = names.compactMap(\.self)
    return known.count == names.count ? known : nil
  }

  private static func form(of type: any (CaseIterable & Codable).Type) -> CaseForm {
    guard let raw = type as? any RawRepresentable.Type else { return .name }
    func isText<Value: RawRepresentable>(_ type: Value.Type) -> Bool { Value.RawValue.self == String.self }
    return isText(raw) ? .rawText : .rawValue
  }

  private static func fields<Value: Decodable>(_ type: Value.Type) -> [FieldProbe.Field]? {
    if type is any RawRepresentable.Type { return nil }
    let probe = FieldProbe()
    guard (try? Value(from: FieldDecoder(probe))) != nil, !probe.fields.isEmpty else { return nil }
    return probe.fields
  }

  /// The elements in words, to be written after the name of the type: `(x: Double, y: Double?)`. Empty if there are none.
  var elements: String {
    switch self {
    case .plain: ""
    case .optional(let shape), .array(let shape), .set(let shape), .dictionary(_, let shape): shape.elements
    case .cases(let cases, let form): "(\(cases.map(form.shown).joined(separator: " | ")))"
    case .structure(let elements): "(\(elements.map(\.text).joined(separator: ", ")))"
    }
  }

  /// The shape without the question mark at the outside, which is a rule of the attribute.
  var unwrapped: TypeShape { if case .optional(let shape) = self { shape } else { self } }

  /// Returns true if all values that were encoded in the older shape can be decoded in this one, and nothing is lost.
  ///
  /// - Parameter columns: True if the elements have columns of their own, which are compared as part of the model.
  func canRead(_ old: TypeShape, columns: Bool = false) -> Bool {
    switch (self, old) {
    case (.optional(let new), .optional(let old)): new.canRead(old, columns: columns)
    case (.optional(let new), _): new.canRead(old, columns: columns)
    case (.array(let new), .array(let old)), (.set(let new), .set(let old)), (.array(let new), .set(let old)),
      (.set(let new), .array(let old)):
      new.canRead(old)
    case (.dictionary(let newKey, let newValue), .dictionary(let oldKey, let oldValue)):
      newKey.canRead(oldKey) && newValue.canRead(oldValue)
    case (.cases(let new, let newForm), .cases(let old, let oldForm)):
      (newForm == oldForm || columns) && Set(new).isSuperset(of: old)
    case (.plain(let new), .plain(let old)): new == old || Self.narrower[new]?.contains(old) == true
    case (.structure(let new), .structure(let old)):
      new.allSatisfy { element in
        guard let before = old.first(where: { $0.key == element.key }) else { return element.shape.isOptional }
        return element.shape.canRead(before.shape, columns: columns)
      } && (columns || old.allSatisfy { element in new.contains { $0.key == element.key } })
    default: self == old
    }
  }

  /// The types whose encoded values the type can decode, each as the same number.
  private static let narrower: [String: Set<String>] = [
    "Int16": ["Int8", "UInt8"], "Int32": ["Int8", "Int16", "UInt8", "UInt16"],
    "Int64": ["Int", "Int8", "Int16", "Int32", "UInt8", "UInt16", "UInt32"],
    "Int": ["Int64", "Int8", "Int16", "Int32", "UInt8", "UInt16", "UInt32"],
    "UInt16": ["UInt8"], "UInt32": ["UInt8", "UInt16"], "UInt64": ["UInt", "UInt8", "UInt16", "UInt32"],
    "UInt": ["UInt64", "UInt8", "UInt16", "UInt32"], "Double": ["Float"],
  ]

  private var isOptional: Bool { if case .optional = self { true } else { false } }
}

extension TypeShape.CaseForm {
  /// A case in words, so that different forms look different.
  func shown(_ text: String) -> String {
    switch self {
    case .name: ".\(text)"
    case .rawText: "\"\(text)\""
    case .rawValue: text
    }
  }
}
