import Foundation

/// Writes a binary property list with each scalar only once and with dictionaries sorted by key.
struct BinaryPropertyListWriter {
  private enum Node {
    case scalar(Data)
    case array([Int])
    case dictionary(keys: [Int], values: [Int])
  }

  private var nodes: [Node] = []
  private var scalars: [Data: Int] = [:]

  static func data(of list: PropertyList) -> Data {
    var writer = BinaryPropertyListWriter()
    _ = writer.add(list)
    return writer.write()
  }

  private mutating func add(_ list: PropertyList) -> Int {
    switch list {
    case .array(let elements):
      let index = nodes.count
      nodes.append(.array([]))
      nodes[index] = .array(elements.map { add($0) })
      return index
    case .dictionary(let entries):
      let index = nodes.count
      nodes.append(.dictionary(keys: [], values: []))
      let sorted = entries.sorted { $0.key < $1.key }
      let keys = sorted.map { add(.string($0.key)) }
      nodes[index] = .dictionary(keys: keys, values: sorted.map { add($0.value) })
      return index
    default:
      let bytes = Self.bytes(ofScalar: list)
      if let index = scalars[bytes] { return index }
      nodes.append(.scalar(bytes))
      scalars[bytes] = nodes.count - 1
      return nodes.count - 1
    }
  }

  private func write() -> Data {
    let referenceSize = Self.size(of: UInt64(nodes.count))
    var output = Data("bplist00".utf8)
    var offsets: [Int] = []
    for node in nodes {
      offsets.append(output.count)
      switch node {
      case .scalar(let bytes): output.append(bytes)
      case .array(let elements):
        Self.append(marker: 0xA0, count: elements.count, to: &output)
        for element in elements { Self.append(UInt64(element), size: referenceSize, to: &output) }
      case .dictionary(let keys, let values):
        Self.append(marker: 0xD0, count: keys.count, to: &output)
        for index in keys + values { Self.append(UInt64(index), size: referenceSize, to: &output) }
      }
    }
    let tableStart = output.count
    let offsetSize = Self.size(of: UInt64(tableStart))
    for offset in offsets { Self.append(UInt64(offset), size: offsetSize, to: &output) }
    output.append(contentsOf: [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)])
    for number in [nodes.count, 0, tableStart] { Self.append(UInt64(number), size: 8, to: &output) }
    return output
  }

  /// The encoded scalar, which also serves as its identity. The value itself cannot: 0 and -0 are equal, and so are two
  /// texts that differ only in how their accents are composed.
  static func bytes(ofScalar scalar: PropertyList) -> Data {
    var bytes = Data()
    append(scalar, to: &bytes)
    return bytes
  }

  private static func append(_ scalar: PropertyList, to output: inout Data) {
    switch scalar {
    case .boolean(let value): output.append(value ? 0x09 : 0x08)
    case .integer(let value):
      // Only eight-byte integers are read as signed, so a negative number takes eight.
      let size = value < 0 ? 8 : size(of: UInt64(value))
      output.append(0x10 | UInt8(size.trailingZeroBitCount))
      append(UInt64(bitPattern: value), size: size, to: &output)
    case .unsigned(let value):
      output.append(0x14)
      append(0, size: 8, to: &output)
      append(value, size: 8, to: &output)
    case .real(let value):
      output.append(0x23)
      append(value.bitPattern, size: 8, to: &output)
    case .date(let value):
      output.append(0x33)
      append(value.timeIntervalSinceReferenceDate.bitPattern, size: 8, to: &output)
    case .data(let value):
      append(marker: 0x40, count: value.count, to: &output)
      output.append(value)
    case .string(let value):
      if value.utf8.allSatisfy({ $0 < 0x80 }) {
        append(marker: 0x50, count: value.utf8.count, to: &output)
        output.append(contentsOf: value.utf8)
      } else {
        append(marker: 0x60, count: value.utf16.count, to: &output)
        for unit in value.utf16 { append(UInt64(unit), size: 2, to: &output) }
      }
    case .uid(let value):
      let size = size(of: UInt64(value))
      output.append(0x80 | UInt8(size - 1))
      append(UInt64(value), size: size, to: &output)
    case .array, .dictionary:
      preconditionFailure("a container was taken for a scalar: \(scalar)")
    }
  }

  private static func append(marker: UInt8, count: Int, to output: inout Data) {
    guard count >= 15 else { return output.append(marker | UInt8(count)) }
    output.append(marker | 0x0F)
    append(.integer(Int64(count)), to: &output)
  }

  private static func append(_ number: UInt64, size: Int, to output: inout Data) {
    for shift in stride(from: (size - 1) * 8, through: 0, by: -8) {
      output.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
    }
  }

  /// Returns the number of bytes that a number needs: 1, 2, 4 or 8.
  private static func size(of number: UInt64) -> Int {
    switch number {
    case ...0xFF: 1
    case ...0xFFFF: 2
    case ...0xFFFF_FFFF: 4
    default: 8
    }
  }
}
