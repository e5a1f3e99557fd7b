/// The elements of a composite attribute whose value is copied to another version: where each one comes from.
///
/// Elements are matched as properties are, by renaming identifier or by name. An element that is new or has become
/// mandatory gets its default, but not in a composite without a value, which would then have one.
package struct CompositeCopy: Hashable, Sendable {
  package struct Element: Hashable, Sendable {
    package var name: String
    /// The old element; nil if there is none.
    package var source: String?
    /// The value if the old element has none.
    package var fallback: Value
    /// The elements of an element that is itself a composite.
    package var inner: CompositeCopy?
  }

  package let elements: [Element]
  /// True if the composite may have no value.
  package let isOptional: Bool

  /// Returns nil if the elements of one of the composites are unknown, or if an old element has no counterpart.
  package init?(
    from old: AttributeDescription?, in model: ManagedObjectModel, to new: AttributeDescription,
    in newModel: ManagedObjectModel
  ) {
    let (olds, news) = (old.map(model.elements(of:)) ?? [], newModel.elements(of: new))
    guard !news.isEmpty, old == nil || !olds.isEmpty else { return nil }
    let match = RenamingMatch(olds, news)
    var elements: [Element] = []
    for pair in match.pairs {
      guard let place = pair.new else { return nil }
      let (before, after) = (pair.old.map { olds[$0] }, news[place])
      var element = Element(name: after.name, source: before?.name, fallback: .null)
      if after.type == .composite {
        guard before.map({ $0.type == .composite }) ?? true,
          let inner = CompositeCopy(from: before, in: model, to: after, in: newModel)
        else { return nil }
        element.inner = inner
      } else if before.map({ $0.isOptional && !after.isOptional }) ?? true {
        element.fallback = after.defaultValue.converted(to: after.type) ?? .null
      }
      elements.append(element)
    }
    self.elements = elements
    isOptional = new.isOptional
  }

  /// True if each element has the value of the old one with its name.
  package var isPlain: Bool {
    elements.allSatisfy { $0.source == $0.name && $0.fallback.isNull && $0.inner?.isPlain ?? true }
  }

  /// Returns the value in the new version.
  package func value(_ old: Value) -> Value {
    if isPlain { return old }
    guard old.hasElements || !isOptional else { return .null }
    var values: [String: Value] = [:]
    if case .composite(let present) = old { values = present }
    return .composite(
      Dictionary(
        elements.map { element in
          let value = element.source.flatMap { values[$0] } ?? .null
          return (element.name, element.inner?.value(value) ?? (value.isNull ? element.fallback : value))
        }, uniquingKeysWith: { first, _ in first }))
  }
}

extension RenamingMatch {
  /// Matches the elements of composites.
  package init(_ old: [AttributeDescription], _ new: [AttributeDescription]) {
    self.init(
      old: old.map { Thing(name: $0.name, identifier: $0.renamingIdentifier) },
      new: new.map { Thing(name: $0.name, identifier: $0.renamingIdentifier) })
  }
}

extension Value {
  /// True unless the value is nil or a composite whose elements are all nil.
  fileprivate var hasElements: Bool {
    if case .composite(let elements) = self { elements.values.contains(where: \.hasElements) } else { !isNull }
  }
}
