import Foundation
import HeavyliftModel

/// Builds a keyed archive, object by object, in the form that `NSKeyedArchiver` writes.
///
/// ```swift
/// var writer = KeyedArchiveWriter()
/// let title = writer.add(.string("The Trial"))
/// let data = writer.archive(root: writer.addDictionary([(writer.add(.string("title")), title)]))
/// ```
public struct KeyedArchiveWriter: Sendable {
  /// An object in the archive under construction.
  public struct Reference: Hashable, Sendable {
    let index: Int

    /// The value for a field that refers to this object.
    public var field: PropertyList { .uid(index) }
  }

  /// A reference to nil.
  public static let null = Reference(index: 0)

  private var objects: [PropertyList] = [.string("$null")]
  private var scalars: [Data: Reference] = [:]
  private var classes: [[String]: Reference] = [:]

  /// Creates an empty archive.
  public init() {}

  /// Adds a value. Equal scalars are added only once.
  public mutating func add(_ value: Value) -> Reference {
    switch value {
    case .null: Self.null
    case .bool(let value): addScalar(.boolean(value))
    case .integer(let value): addScalar(.integer(value))
    case .double(let value): addScalar(.real(value))
    case .string(let value):
      // As a plain string, "$null" would mean nil.
      value == "$null"
        ? addObject(["NSString", "NSObject"], ["NS.string": .string(value)]) : addScalar(.string(value))
    case .data(let value): addScalar(.data(value))
    case .date(let value):
      addObject(["NSDate", "NSObject"], ["NS.time": .real(value.timeIntervalSinceReferenceDate)])
    case .uuid(let value):
      addObject(
        ["NSUUID", "NSObject"], ["NS.uuidbytes": .data(withUnsafeBytes(of: value.uuid) { Data($0) })])
    case .uri(let value):
      addObject(
        ["NSURL", "NSObject"],
        ["NS.base": Self.null.field, "NS.relative": addScalar(.string(value)).field])
    case .decimal(let value): addDecimal(value)
    case .composite(let elements):
      addDictionary(
        elements.sorted { $0.key < $1.key }.map { (addScalar(.string($0.key)), add($0.value)) }, isMutable: false)
    }
  }

  /// Adds an array.
  public mutating func addArray(_ elements: [Reference], isMutable: Bool = false) -> Reference {
    addObject(
      isMutable ? ["NSMutableArray", "NSArray", "NSObject"] : ["NSArray", "NSObject"],
      ["NS.objects": .array(elements.map(\.field))])
  }

  /// Adds a set.
  public mutating func addSet(_ elements: [Reference]) -> Reference {
    addObject(["NSSet", "NSObject"], ["NS.objects": .array(elements.map(\.field))])
  }

  /// Adds a dictionary.
  public mutating func addDictionary(
    _ entries: [(key: Reference, value: Reference)], isMutable: Bool = false
  ) -> Reference {
    addObject(
      isMutable ? ["NSMutableDictionary", "NSDictionary", "NSObject"] : ["NSDictionary", "NSObject"],
      ["NS.keys": .array(entries.map(\.key.field)), "NS.objects": .array(entries.map(\.value.field))])
  }

  /// Adds an instance of a class, given with its superclasses, nearest first.
  public mutating func addObject(_ classNames: [String], _ fields: [String: PropertyList]) -> Reference {
    let reference = reserve()
    define(reference, classNames, fields)
    return reference
  }

  /// Reserves an index for an object that others refer to before it is defined, because objects can form cycles.
  public mutating func reserve() -> Reference {
    objects.append(.dictionary([:]))
    return Reference(index: objects.count - 1)
  }

  /// Defines an object whose index was reserved.
  public mutating func define(_ reference: Reference, _ classNames: [String], _ fields: [String: PropertyList]) {
    var fields = fields
    fields["$class"] = addClass(classNames).field
    objects[reference.index] = .dictionary(fields)
  }

  /// Returns the archive as a binary property list.
  public func archive(root: Reference) -> Data {
    PropertyList.dictionary([
      "$archiver": .string("NSKeyedArchiver"),
      "$version": .integer(100_000),
      "$top": .dictionary(["root": root.field]),
      "$objects": .array(objects),
    ]).binaryData
  }

  private mutating func addScalar(_ scalar: PropertyList) -> Reference {
    let bytes = BinaryPropertyListWriter.bytes(ofScalar: scalar)
    if let reference = scalars[bytes] { return reference }
    objects.append(scalar)
    let reference = Reference(index: objects.count - 1)
    scalars[bytes] = reference
    return reference
  }

  private mutating func addClass(_ names: [String]) -> Reference {
    if let reference = classes[names] { return reference }
    objects.append(
      .dictionary(["$classname": .string(names.first ?? ""), "$classes": .array(names.map { .string($0) })]))
    let reference = Reference(index: objects.count - 1)
    classes[names] = reference
    return reference
  }

  /// A decimal has up to eight 16-bit digits, lowest first, an exponent of ten, and a sign.
  private mutating func addDecimal(_ value: Decimal) -> Reference {
    var digits = [UInt32](repeating: 0, count: 8)
    for digit in "\(value.isNaN ? 0 : value.significand)".compactMap(\.wholeNumberValue) {
      var carry = UInt32(digit)
      for place in digits.indices {
        let sum = digits[place] * 10 + carry
        digits[place] = sum & 0xFFFF
        carry = sum >> 16
      }
    }
    let mantissa = Data(digits.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] })
    return addObject(
      ["NSDecimalNumber", "NSNumber", "NSValue", "NSObject"],
      [
        "NS.mantissa": .data(mantissa), "NS.mantissa.bo": .integer(1), "NS.compact": .boolean(true),
        "NS.exponent": .integer(value.isNaN ? 0 : Int64(value.exponent)),
        "NS.length": .integer(Int64((digits.lastIndex { $0 != 0 } ?? -1) + 1)),
        "NS.negative": .boolean(value.isNaN || value.sign == .minus),
      ])
  }
}
