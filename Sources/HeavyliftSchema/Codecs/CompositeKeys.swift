/// Finds the coding key of each stored property of a structure.
///
/// A type can have its coding keys in another order than its properties, and under other names. So the structure is decoded
/// once for each key, with another value for that key alone: the property that differs belongs to the key.
struct CompositeKeys<Value: Codable> {
  /// A stored property of the structure, and the codec of its element.
  typealias Property = (name: String, codec: any AnyValueCodec)

  let properties: [Property]
  /// The keys that the type decodes, in order.
  let keys: [String]

  /// Returns the key of each property.
  func byProperty(_ sample: Value) throws(TypeProblem) -> [String] {
    guard keys.count == properties.count else {
      throw problem("it does not encode all its stored properties and nothing else")
    }
    let plain = try elements(of: sample)
    var found: [Int: String] = [:]
    for key in keys {
      guard let value = try? Value(from: FieldDecoder(FieldProbe { $0 == key })) else { continue }
      let varied = try elements(of: value)
      let places = properties.indices.filter { !varied[$0].isIdentical(to: plain[$0]) }
      guard places.count < 2, places.allSatisfy({ found[$0] == nil }) else {
        throw problem("its coding keys do not belong to one stored property each")
      }
      if let place = places.first { found[place] = key }
    }
    try addRest(to: &found)
    return properties.indices.compactMap { found[$0] }
  }

  /// Adds properties whose types have only one known value. Their keys cannot be found but by their names.
  private func addRest(to found: inout [Int: String]) throws(TypeProblem) {
    var rest = keys.filter { key in !found.values.contains(key) }
    for place in properties.indices where found[place] == nil {
      guard let key = rest.firstIndex(of: properties[place].name) else { continue }
      found[place] = rest.remove(at: key)
    }
    let places = properties.indices.filter { found[$0] == nil }
    guard places.count <= 1 else {
      throw problem(
        "its coding keys \(rest.quotedList) cannot be assigned to its properties \(places.map { properties[$0].name }.quotedList)"
      )
    }
    if let place = places.first { found[place] = rest.first }
  }

  /// Throws if values that are stored by `codec` change when they are read.
  func checkRoundTrip(_ sample: Value, _ codec: ValueCodec<Value>) throws(TypeProblem) {
    let varied = try? Value(from: FieldDecoder(FieldProbe { _ in true }))
    for value in [sample, varied].compactMap(\.self) {
      guard let stored = try? codec.encode(value), let read = codec.decode(stored), let again = try? codec.encode(read),
        again.isIdentical(to: stored)
      else { throw problem("its 'init(from:)' changes the values of its stored properties") }
    }
  }

  private func elements(of value: Value) throws(TypeProblem) -> [StoredValue] {
    do {
      return try zip(properties, Mirror(reflecting: value).children).map { try $0.codec.encodeAny($1.value) }
    } catch {
      throw problem("its elements cannot be encoded")
    }
  }

  private func problem(_ reason: String) -> TypeProblem { .opaque(TypeName.scoped(Value.self), reason: reason) }
}
