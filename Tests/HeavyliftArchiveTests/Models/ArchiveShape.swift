import CZlib
import Foundation
import HeavyliftArchive
import HeavyliftTestSupport

/// An archive as a bag of lines, one per object, with references replaced by their targets: two archives with the
/// same lines are equivalent, whatever the order of their objects.
struct ArchiveShape {
  var objects: [String]

  init(modelCache: Data) throws {
    let list = try PropertyList(data: Self.inflate(modelCache))
    guard let all = list.dictionary?["$objects"]?.array else { throw CocoaError(.coderReadCorrupt) }
    objects = all.compactMap { object in
      guard let fields = object.dictionary, fields["$class"] != nil else { return nil }
      let className = Self.className(object, all)
      // Core Data shares some containers and repeats others; their contents are compared at the references to them.
      if ["NSDictionary", "NSMutableDictionary", "NSArray", "NSMutableArray", "NSSet"].contains(className) {
        return nil
      }
      let parts = fields.filter { $0.key != "$class" }.sorted { $0.key < $1.key }.map {
        "\($0.key)=\(Self.field($0.key, $0.value, all))"
      }
      return "\(className) \(parts.joined(separator: " "))"
    }.sorted()
  }

  private static func field(_ key: String, _ value: PropertyList, _ all: [PropertyList]) -> String {
    switch key {
    // The compiler adds indexes in the order of a hash table.
    case "NSFetchIndexDescriptions":
      elements(value, all).map { text($0, all, depth: 2) }.sorted().joined(separator: ", ")
    // One system writes a mutable array, all others an immutable one.
    case "NSIndexElements": elements(value, all).map { text($0, all, depth: 2) }.joined(separator: ", ")
    default: text(value, all, depth: 3)
    }
  }

  private static func elements(_ value: PropertyList, _ all: [PropertyList]) -> [PropertyList] {
    value.uid.flatMap { all[$0].dictionary?["NS.objects"]?.array } ?? []
  }

  private static func className(_ object: PropertyList, _ all: [PropertyList]) -> String {
    guard let reference = object.dictionary?["$class"]?.uid else { return "" }
    return all[reference].dictionary?["$classname"]?.string ?? ""
  }

  private static func text(_ value: PropertyList, _ all: [PropertyList], depth: Int) -> String {
    switch value {
    case .uid(let index): return text(all[index], all, depth: depth)
    case .array(let elements): return "[\(elements.map { text($0, all, depth: depth - 1) }.joined(separator: ", "))]"
    case .dictionary(let fields):
      let className = className(value, all)
      let name = ["NSEntityName", "NSPropertyName", "NSIndexName"].lazy
        .compactMap { fields[$0] }.first.map { text($0, all, depth: 0) }
      if let name, depth < 3 || className != "" { return "<\(className) \(name)>" }
      guard depth > 0, let elements = fields["NS.objects"]?.array else { return "<\(className)>" }
      let texts = elements.map { text($0, all, depth: depth - 1) }
      // Unordered collections are compared without order.
      guard className.hasSuffix("Dictionary"), let keys = fields["NS.keys"]?.array else {
        return "<\(className) \(className == "NSSet" ? texts.sorted() : texts)>"
      }
      return "<\(className) \(zip(keys.map { text($0, all, depth: 0) }, texts).map { "\($0): \($1)" }.sorted())>"
    default: return "\(value)"
    }
  }

  private static func inflate(_ data: Data) throws -> Data {
    // Foundation would read raw DEFLATE with a gzip header; it is simpler to inflate the stream here.
    var stream = z_stream()
    guard inflateInit2_(&stream, -15, zlibVersion(), Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      throw CocoaError(.coderReadCorrupt)
    }
    defer { inflateEnd(&stream) }
    var (input, output) = ([UInt8](data), [UInt8](repeating: 0, count: 1 << 20))
    let status = input.withUnsafeMutableBufferPointer { source in
      output.withUnsafeMutableBufferPointer { target in
        (stream.next_in, stream.avail_in) = (source.baseAddress, UInt32(source.count))
        (stream.next_out, stream.avail_out) = (target.baseAddress, UInt32(target.count))
        return CZlib.inflate(&stream, Z_FINISH)
      }
    }
    guard status == Z_STREAM_END else { throw CocoaError(.coderReadCorrupt) }
    return Data(output.prefix(Int(stream.total_out)))
  }
}
