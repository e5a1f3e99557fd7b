/// Keeps the properties of a wide struct in an object, which copies of the struct share until one of them changes.
///
/// Every place that copies or stores a wide struct, or contains one, costs the compiler time and the program space. Such
/// a struct is one reference wide:
///
/// ```swift
/// struct Page {
///   private struct Contents { var title: String; var words: [String] }
///   @CopyOnWrite private var contents: Contents
///   var title: String { get { contents.title } set { contents.title = newValue } }
/// }
/// ```
@propertyWrapper
package struct CopyOnWrite<Value: Sendable>: Sendable {
  // Changed only while one struct refers to it.
  private final class Box: @unchecked Sendable {
    var value: Value
    init(_ value: Value) { self.value = value }
  }

  private var box: Box

  package init(wrappedValue: Value) { box = Box(wrappedValue) }

  package var wrappedValue: Value {
    get { box.value }
    _modify {
      if !isKnownUniquelyReferenced(&box) { box = Box(box.value) }
      yield &box.value
    }
  }
}

extension CopyOnWrite: Equatable where Value: Equatable {
  package static func == (left: CopyOnWrite, right: CopyOnWrite) -> Bool {
    left.box === right.box || left.box.value == right.box.value
  }
}

extension CopyOnWrite: Hashable where Value: Hashable {
  package func hash(into hasher: inout Hasher) { hasher.combine(box.value) }
}
