/// Distinct values in the order of insertion.
///
/// Even sets keep an order, so that a sum of floating-point numbers is the same in every run.
public struct DistinctValues {
  public private(set) var elements: [ExpressionValue]
  private var members: Set<ExpressionValue>

  /// Creates a collection of the distinct values.
  public init(_ values: some Sequence<ExpressionValue> = []) {
    elements = []
    members = []
    for value in values { insert(value) }
  }

  public var count: Int { elements.count }

  /// Returns true if the collection contains an equal value.
  public func contains(_ value: ExpressionValue) -> Bool { members.contains(value) }

  /// Appends a value unless the collection contains an equal one.
  public mutating func insert(_ value: ExpressionValue) {
    if members.insert(value).inserted { elements.append(value) }
  }

  /// Returns true if both collections contain equal values, in any order.
  public func hasSameMembers(as other: DistinctValues) -> Bool { members == other.members }
}
