import Foundation

/// Reads a binary property list.
///
/// The format is a table of objects that refer to each other by number. Nothing in it can be trusted: offsets may point
/// anywhere, objects may contain themselves, a few bytes may claim a million elements, and many objects may claim the
/// same bytes. Each object is read once, and all objects together may claim no more bytes than the file has.
struct BinaryPropertyListReader {
  private enum State {
    case unread
    case reading
    /// An object that was read, with the number of values that it represents if shared objects are counted each time
    /// they occur.
    case read(weight: Int)
  }

  private static let trailerSize = 32

  private let bytes: [UInt8]
  private let offsetSize: Int
  private let referenceSize: Int
  private let tableStart: Int
  private let root: Int
  private var states: [State]
  private var objects: [PropertyListTable.Object]
  private var references: [Int] = []
  private var keys: [String: Int] = [:]
  /// The number in `keys` of each object that was read as a key.
  private var keyNumbers: [Int?]
  private var unclaimedBytes: Int
  private var greatestUID = -1
  /// The weight of the current object so far, including everything in it.
  private var weight = 0

  init(_ bytes: [UInt8]) throws(ArchiveMistake) {
    guard bytes.starts(with: Array("bplist0".utf8)) else { throw .notAPropertyList }
    let trailer = bytes.count - Self.trailerSize
    guard trailer >= 8 else { throw .truncated }
    self.bytes = bytes
    offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    guard 1...8 ~= offsetSize, 1...8 ~= referenceSize else { throw .truncated }
    let numbers = [8, 16, 24].map { Self.number(in: bytes, at: trailer + $0, size: 8) }
    guard let count = Int(exactly: numbers[0]), let root = Int(exactly: numbers[1]),
      let start = Int(exactly: numbers[2]), start >= 8, start <= trailer,
      count <= (trailer - start) / offsetSize
    else { throw .truncated }
    guard root < count else { throw .damaged("its root is object \(root), but its object count is \(count)") }
    self.root = root
    tableStart = start
    states = Array(repeating: .unread, count: count)
    objects = Array(repeating: .scalar(.boolean(false)), count: count)
    keyNumbers = Array(repeating: nil, count: count)
    unclaimedBytes = bytes.count
  }

  mutating func read() throws(ArchiveMistake) -> PropertyListTable {
    try visit(root, depth: 0)
    return PropertyListTable(
      objects: objects, references: references, keys: keys, root: root, greatestUID: greatestUID)
  }

  /// Reads an object, unless it was read before.
  private mutating func visit(_ index: Int, depth: Int) throws(ArchiveMistake) {
    guard index < states.count else {
      throw .damaged("it refers to object \(index), but its object count is \(states.count)")
    }
    switch states[index] {
    case .read(let weight): return try add(weight)
    case .reading: throw .damaged("object \(index) contains itself")
    case .unread: break
    }
    guard depth < PropertyList.depthLimit else { throw .tooDeep(PropertyList.depthLimit) }
    let offset = Self.number(in: bytes, at: tableStart + index * offsetSize, size: offsetSize)
    guard let start = Int(exactly: offset), start >= 8, start < tableStart else {
      throw .damaged("object \(index) is outside the file")
    }
    states[index] = .reading
    let weightBefore = weight
    weight = 1
    objects[index] = try object(at: start, index: index, depth: depth)
    states[index] = .read(weight: weight)
    let own = weight
    weight = weightBefore
    try add(own)
  }

  private mutating func add(_ weight: Int) throws(ArchiveMistake) {
    // Objects may be shared many times, as strings are in real files, but a structure must not double in size at every
    // level.
    self.weight += weight
    if self.weight > 1 << 20 + bytes.count * 16 { throw .excessive }
  }

  private mutating func object(
    at start: Int, index: Int, depth: Int
  ) throws(ArchiveMistake) -> PropertyListTable.Object {
    let marker = bytes[start]
    let low = Int(marker & 0x0F)
    switch marker >> 4 {
    case 0xA, 0xB, 0xC:
      let places = try addReferences(at: start, low: low, factor: 1, index: index)
      for place in places { try visit(references[place], depth: depth + 1) }
      return .array(places)
    case 0xD:
      let places = try addReferences(at: start, low: low, factor: 2, index: index)
      let count = places.count / 2
      for place in places.prefix(count) {
        references[place] = try key(references[place], of: index, depth: depth + 1)
        try visit(references[place + count], depth: depth + 1)
      }
      if count > PropertyListTable.mostUnsortedKeys { sort(places) }
      return .dictionary(places.prefix(count))
    default: return .scalar(try scalar(marker, low, at: start, index: index))
    }
  }

  /// Sorts the entries of a dictionary by the numbers of their keys. Entries with the same key stay in order.
  private mutating func sort(_ places: Range<Int>) {
    let count = places.count / 2
    let order = places.prefix(count).sorted { (references[$0], $0) < (references[$1], $1) }
    references.replaceSubrange(
      places, with: order.map { references[$0] } + order.map { references[$0 + count] })
  }

  /// Reads a key, and returns its number in `keys`.
  private mutating func key(_ reference: Int, of index: Int, depth: Int) throws(ArchiveMistake) -> Int {
    try visit(reference, depth: depth)
    if let known = keyNumbers[reference] { return known }
    guard case .scalar(.string(let key)) = objects[reference] else {
      throw .damaged("dictionary \(index) has a key that is not text")
    }
    let number = keys[key] ?? reference
    keys[key] = number
    // Two keys that are equal may differ in how accents are composed, and each keeps its own form.
    guard case .scalar(.string(let known)) = objects[number], known.utf8.elementsEqual(key.utf8) else {
      return reference
    }
    keyNumbers[reference] = number
    return number
  }

  private mutating func scalar(
    _ marker: UInt8, _ low: Int, at start: Int, index: Int
  ) throws(ArchiveMistake) -> PropertyList {
    switch marker >> 4 {
    case 0x0 where marker == 0x08: return .boolean(false)
    case 0x0 where marker == 0x09: return .boolean(true)
    case 0x1 where low <= 4: return try integer(at: start + 1, size: 1 << low, index: index)
    case 0x2 where low == 2 || low == 3: return .real(try real(at: start + 1, size: 1 << low, index: index))
    case 0x3 where low == 3:
      return .date(Date(timeIntervalSinceReferenceDate: try real(at: start + 1, size: 8, index: index)))
    case 0x4:
      return .data(Data(bytes[try payload(at: start, low: low, unit: 1, index: index)]))
    case 0x5, 0x7:
      let range = try payload(at: start, low: low, unit: 1, index: index)
      guard let text = String(validating: bytes[range], as: UTF8.self) else {
        throw .damaged("object \(index) is not valid text")
      }
      return .string(text)
    case 0x6:
      let range = try payload(at: start, low: low, unit: 2, index: index)
      // Core Foundation's strings may contain a lone surrogate. Swift's strings cannot, so it becomes U+FFFD.
      let units = stride(from: range.lowerBound, to: range.upperBound, by: 2).map {
        UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
      }
      return .string(String(decoding: units, as: UTF16.self))
    case 0x8:
      let range = try claim(start + 1, count: low + 1, unit: 1, index: index)
      let number = Self.number(in: bytes, at: range.lowerBound, size: min(range.count, 8))
      guard range.count <= 8, let uid = Int(exactly: number) else {
        throw .damaged("object \(index) is a reference past the last object")
      }
      greatestUID = max(greatestUID, uid)
      return .uid(uid)
    default:
      throw .damaged("object \(index) is of unknown kind \(marker)")
    }
  }

  private mutating func integer(at start: Int, size: Int, index: Int) throws(ArchiveMistake) -> PropertyList {
    let range = try claim(start, count: size, unit: 1, index: index)
    // Integers of fewer than eight bytes are unsigned, those of eight bytes are signed, and those of sixteen hold
    // larger values.
    guard size == 16 else {
      return .integer(Int64(truncatingIfNeeded: Self.number(in: bytes, at: range.lowerBound, size: size)))
    }
    let high = Self.number(in: bytes, at: range.lowerBound, size: 8)
    let low = Self.number(in: bytes, at: range.lowerBound + 8, size: 8)
    switch (high, low >> 63) {
    case (0, 0), (.max, 1): return .integer(Int64(truncatingIfNeeded: low))
    case (0, _): return .unsigned(low)
    default: throw .damaged("object \(index) is a number beyond 64 bits")
    }
  }

  private mutating func real(at start: Int, size: Int, index: Int) throws(ArchiveMistake) -> Double {
    let range = try claim(start, count: size, unit: 1, index: index)
    let bits = Self.number(in: bytes, at: range.lowerBound, size: size)
    return size == 4 ? Double(Float(bitPattern: UInt32(bits))) : Double(bitPattern: bits)
  }

  /// Adds a container's references, and returns their places.
  private mutating func addReferences(
    at start: Int, low: Int, factor: Int, index: Int
  ) throws(ArchiveMistake) -> Range<Int> {
    let range = try payload(at: start, low: low, unit: factor * referenceSize, index: index)
    let first = references.count
    let size = referenceSize
    bytes[range].withUnsafeBufferPointer { bytes in
      references += (0..<bytes.count / size).lazy.map { place in
        // A number beyond `Int` becomes negative.
        Int(truncatingIfNeeded: Self.number(in: bytes, at: place * size, size: size))
      }
    }
    guard references[first...].allSatisfy({ $0 >= 0 }) else { throw .damaged("object \(index) refers to nothing") }
    return first..<references.count
  }

  /// Returns the range of the bytes after a marker and its count. A count over 14 is stored as a separate integer.
  private mutating func payload(
    at start: Int, low: Int, unit: Int, index: Int
  ) throws(ArchiveMistake) -> Range<Int> {
    guard low == 0x0F else { return try claim(start + 1, count: low, unit: unit, index: index) }
    guard start + 1 < tableStart, bytes[start + 1] >> 4 == 0x1, bytes[start + 1] & 0x0F <= 3 else {
      throw .damaged("object \(index) has no count")
    }
    let size = 1 << Int(bytes[start + 1] & 0x0F)
    let range = try claim(start + 2, count: size, unit: 1, index: index)
    guard let count = Int(exactly: Self.number(in: bytes, at: range.lowerBound, size: size)) else {
      throw .damaged("object \(index) is outside the file")
    }
    return try claim(range.upperBound, count: count, unit: unit, index: index)
  }

  private mutating func claim(
    _ start: Int, count: Int, unit: Int, index: Int
  ) throws(ArchiveMistake) -> Range<Int> {
    let (size, overflow) = count.multipliedReportingOverflow(by: unit)
    guard !overflow, start <= tableStart, size <= tableStart - start else {
      throw .damaged("object \(index) is outside the file")
    }
    unclaimedBytes -= size
    guard unclaimedBytes >= 0 else { throw .excessive }
    return start..<(start + size)
  }

  private static func number(in bytes: [UInt8], at start: Int, size: Int) -> UInt64 {
    bytes.withUnsafeBufferPointer { number(in: $0, at: start, size: size) }
  }

  private static func number(in bytes: UnsafeBufferPointer<UInt8>, at start: Int, size: Int) -> UInt64 {
    var number: UInt64 = 0
    for place in start..<(start + size) { number = number << 8 | UInt64(bytes[place]) }
    return number
  }
}
