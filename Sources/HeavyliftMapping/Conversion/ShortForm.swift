import HeavyliftExpression

/// The ways to write a property mapping, shortest first.
enum ShortForm: CaseIterable {
  /// `copy="no"`.
  case unmapped
  /// Only the name.
  case automatic
  /// `mapping="…"`.
  case through
  /// `from="…"`.
  case from
  /// `from="…" mapping="…"`.
  case fromThrough
  /// `value="…"`.
  case expression

  /// Returns an element that gives the property its value; nil if this form cannot express it.
  func mention(
    _ property: CompletePropertyMapping, copying written: EntityMappingDescription
  ) -> PropertyMappingDescription? {
    guard let source = source(of: property) else { return nil }
    let original = written.propertyMapping(named: property.name)
    return PropertyMappingDescription(
      property.kind, name: property.name, source: source, leavesSharedToLast: property.leavesSharedToLast,
      userInfo: property.userInfo, markup: original?.markup ?? MappingMarkup())
  }

  private func source(of property: CompletePropertyMapping) -> PropertyMappingDescription.Source? {
    guard let expression = property.valueExpression else { return self == .unmapped ? .unmapped : nil }
    if self == .automatic { return .automatic }
    if self == .expression { return .expression(expression) }
    guard property.kind == .relationship, let request = expression.counterpartsRequest else { return nil }
    return switch (self, request.through) {
    case (.through, .mapping(let name)): .related(from: nil, through: name)
    case (.from, _): .related(from: request.objects, through: nil)
    case (.fromThrough, .mapping(let name)): .related(from: request.objects, through: name)
    default: nil
    }
  }
}
