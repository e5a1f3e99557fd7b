/// Values none of which is equal to another, in the order in which they came.
///
/// Sets keep an order as well, so that a sum of floating-point numbers is the same in each run.
public struct DistinctValues {
  public private(set) var elements: [ExpressionValue]
  private var members: Set<ExpressionValue>

  /// Creates the distinct ones of some values.
  public init(_ values: some Sequence<ExpressionValue> = []) {
    elements = []
    members = []
    for value in values { insert(value) }
  }

  public var count: Int { elements.count }

  /// Whether an equal value is among them.
  public func contains(_ value: ExpressionValue) -> Bool { members.contains(value) }

  /// Adds a value behind the others unless an equal one is there.
  public mutating func insert(_ value: ExpressionValue) {
    if members.insert(value).inserted { elements.append(value) }
  }

  /// Whether both have equal values, in whatever order.
  public func hasSameMembers(as other: DistinctValues) -> Bool { members == other.members }
}
