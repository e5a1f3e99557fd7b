import Foundation

/// An object in a keyed archive: a class name, and values by key.
public struct ArchivedObject: Sendable {
  let archive: KeyedArchive
  /// The object's index in the archive: references to the same object have the same index.
  public let index: Int

  /// Returns true if both refer to the same object of the same archive.
  public func isSame(as other: ArchivedObject) -> Bool { archive === other.archive && index == other.index }

  private var entries: PropertyListPart { archive.objects[index] }

  private var classEntries: PropertyListPart { entries["$class"]?.uid.map { archive.objects[$0] } ?? entries }

  /// The name of the object's class.
  public var className: String {
    archive.archivedClass(ofObjectAt: index)?.name ?? classEntries["$classname"]?.string ?? ""
  }

  /// The names of the object's class and all superclasses, nearest first.
  public var classNames: [String] {
    archive.archivedClass(ofObjectAt: index)?.names ?? ArchivedClass(classEntries).names
  }

  /// Returns true if the object is an instance of this class or of a subclass.
  public func isKind(of name: String) -> Bool { className == name || classNames.contains(name) }

  /// Returns the value of a key; nil if the object has no such key, `.null` if the value is nil.
  public subscript(key: String) -> ArchivedValue? { entries[key].map(archive.value) }

  /// The object's keys, sorted.
  public var keys: [String] { Set(entries.keys).subtracting(["$class"]).sorted() }

  /// The property that this object is a proxy for, or the object itself.
  ///
  /// In the model caches of some frameworks, a sub-entity has proxies for inherited properties.
  var property: ArchivedObject {
    var object = self
    // In real files, a proxy leads to a property. The limit is for files in which proxies lead to each other.
    for _ in 0..<8 where object.className == "_NSPropertyDescriptionProxy" {
      guard let underlying = object["NSUnderlyingProperty"]?.object else { break }
      object = underlying
    }
    return object
  }

  // MARK: Foundation's own types

  /// The value that this object wraps, if its class is one of Foundation's plain types.
  var unwrapped: ArchivedValue {
    archive.archivedClass(ofObjectAt: index)?.plainTypes.lazy.compactMap(value).first ?? .object(self)
  }

  private func value(_ type: ArchivedClass.Plain) -> ArchivedValue? {
    let entries = self.entries
    switch type {
    case .null: return .null
    case .string, .mutableString: return text.map { .string($0) }
    case .data, .mutableData:
      return (entries["NS.data"].map(archive.resolved)?.data ?? entries["NS.bytes"]?.data).map { .data($0) }
    case .date:
      switch entries["NS.time"]?.scalar {
      case .real(let seconds): return .date(Date(timeIntervalSinceReferenceDate: seconds))
      case .integer(let seconds): return .date(Date(timeIntervalSinceReferenceDate: Double(seconds)))
      default: return nil
      }
    case .uuid:
      guard let bytes = entries["NS.uuidbytes"].map(archive.resolved)?.data, bytes.count == 16 else { return nil }
      return .uuid(bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) })
    case .url: return url
    case .decimal: return decimal.map { .decimal($0) }
    case .array: return collection.map { .array($0) }
    case .set: return collection.map { .set($0) }
    case .orderedSet: return numberedCollection.map { .orderedSet($0) }
    case .dictionary: return dictionary.map { .dictionary($0) }
    }
  }

  private var text: String? {
    entries["NS.string"]?.string ?? (entries["NS.bytes"]?.data).flatMap { String(data: $0, encoding: .utf8) }
  }

  // Parts of a wrapped value are read without unwrapping them: in a damaged archive, an object can be part of itself.

  private func part(_ key: String) -> ArchivedObject? {
    guard let index = entries[key]?.uid, archive.objects[index].isDictionary else { return nil }
    return ArchivedObject(archive: archive, index: index)
  }

  private func text(ofPart key: String) -> String? {
    if let text = entries[key].map(archive.resolved)?.string { return text }
    guard let part = part(key), part.isKind(of: "NSString") else { return nil }
    return part.text
  }

  private func elements(ofPart key: String) -> PropertyListParts? {
    if let elements = entries[key].map(archive.resolved)?.array { return elements }
    guard let part = part(key), part.isKind(of: "NSArray") else { return nil }
    return part.entries["NS.objects"]?.array
  }

  private var collection: ArchivedCollection? {
    guard let elements = entries["NS.objects"]?.array else { return nil }
    return ArchivedCollection(archive: archive, elements: elements)
  }

  /// The elements of an ordered set from older systems, which use numbered keys instead of an array.
  private var numberedCollection: ArchivedCollection? {
    if let collection { return collection }
    let entries = self.entries
    var numbers: [Int] = []
    while let element = entries["NS.object.\(numbers.count)"] { numbers.append(element.number) }
    let elements = PropertyListParts(table: entries.table, numbers: numbers[...])
    return ArchivedCollection(archive: archive, elements: elements)
  }

  private var dictionary: ArchivedDictionary? {
    let entries = self.entries
    if let keys = entries["NS.keys"]?.array, let values = entries["NS.objects"]?.array, keys.count == values.count {
      return ArchivedDictionary(archive: archive, keys: keys, values: values)
    }
    return knownKeysDictionary
  }

  /// The contents of the dictionary class that Core Data uses for a model's entities. Its keys are in a separate
  /// object, which several dictionaries can share.
  private var knownKeysDictionary: ArchivedDictionary? {
    guard let keys = part("searchMapping")?.elements(ofPart: "keys"), let values = elements(ofPart: "values"),
      keys.count == values.count
    else { return nil }
    return ArchivedDictionary(archive: archive, keys: keys, values: values, emptySlot: entries["emptyToken"])
  }

  private var url: ArchivedValue? {
    guard let relative = text(ofPart: "NS.relative") else { return nil }
    // The base is a separate URL object. The base of that object is not followed, because bases can form a cycle.
    guard let base = entries["NS.base"]?.uid, let text = archive.objects[base]["NS.relative"]?.uid,
      let base = archive.objects[text].string
    else { return .url(relative) }
    return .url(URL(string: relative, relativeTo: URL(string: base))?.absoluteString ?? relative)
  }

  /// A decimal has up to eight 16-bit digits, an exponent of ten, and a sign.
  private var decimal: Decimal? {
    let entries = self.entries
    guard let bytes = entries["NS.mantissa"].map(archive.resolved)?.data, bytes.count == 16,
      let exponent = entries["NS.exponent"]?.integer, -128...127 ~= exponent,
      let length = entries["NS.length"]?.integer, 0...8 ~= length
    else { return nil }
    let isNegative = entries["NS.negative"]?.boolean ?? false
    if length == 0 { return isNegative ? .nan : 0 }
    // `NSHostByteOrder`: 1 is little-endian, 2 is big-endian.
    let isBigEndian = entries["NS.mantissa.bo"]?.integer == 2
    var mantissa = Decimal(0)
    for place in (0..<Int(length)).reversed() {
      let (first, second) = (
        UInt16(bytes[bytes.startIndex + place * 2]), UInt16(bytes[bytes.startIndex + place * 2 + 1])
      )
      mantissa = mantissa * 65536 + Decimal(isBigEndian ? first << 8 | second : second << 8 | first)
    }
    let magnitude = Decimal(sign: .plus, exponent: Int(exponent), significand: mantissa)
    return isNegative ? -magnitude : magnitude
  }
}
