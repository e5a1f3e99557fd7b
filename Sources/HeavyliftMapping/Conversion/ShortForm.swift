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
    guard property.kind == .relationship, let call = expression.destinationInstancesCall else { return nil }
    return switch (self, call.mapping) {
    case (.through, let mapping?): .related(from: nil, through: mapping)
    case (.from, _): .related(from: call.objects, through: nil)
    case (.fromThrough, let mapping?): .related(from: call.objects, through: mapping)
    default: nil
    }
  }
}

extension MappingExpression {
  /// The source objects and the named entity mapping, if the expression requests their destination instances.
  fileprivate var destinationInstancesCall: (objects: MappingExpression, mapping: String?)? {
    guard case .call(let receiver, let selector, let arguments) = kind, case .variable("manager") = receiver.kind,
      arguments.count == 2, case .constant(.value(.string(let name))) = arguments[0].kind
    else { return nil }
    switch selector {
    case ManagerSelector.destinationInstancesForMapping: return (arguments[1], name)
    case ManagerSelector.destinationInstancesForRelationship: return (arguments[1], nil)
    default: return nil
    }
  }
}
