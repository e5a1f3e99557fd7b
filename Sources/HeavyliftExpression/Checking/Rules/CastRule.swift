extension ExpressionInspector {
  /// `CAST(operand, "Type")`: the type must be known, and the operand's kind must be convertible.
  mutating func inspectCast(
    _ operand: MappingExpression, _ typeName: String, at range: SourceRange
  ) -> ExpressionFacts {
    let facts = inspect(operand)
    let cast: Cast
    do {
      cast = try Cast(typeName: typeName)
    } catch {
      report(error, at: range)
      return .unknown
    }
    // Only a constant is known to be a date as NSDate describes it, and not a date in another format.
    guard cast.accepts(facts.kind) || cast == .date && facts.kind == .string && facts.constant != nil else {
      if facts.toManyHops > 0, facts.kind.isCollection {
        report(.toMany(operand.shown, of: "CAST", place: .operand), at: operand.range)
      } else {
        report(.notCastable(facts.kind, to: typeName), at: operand.range)
      }
      return .unknown
    }
    if facts.kind == .null { report(.alwaysNil(of: "CAST"), at: operand.range) }
    var result = ExpressionFacts(cast.kind(from: facts.kind), isNullable: facts.type.isNullable)
    guard let constant = facts.constant else { return result }
    do {
      let value = try cast.call(constant)
      result.constant = value
      if !result.kind.isCollection {
        result.type = ExpressionType(ExpressionType.Kind(value), isNullable: value.isNull)
      }
    } catch {
      report(error, at: operand.range)
      return .unknown
    }
    return result
  }
}

extension Cast {
  /// Returns true if at least some values of a kind can be converted to the type.
  fileprivate func accepts(_ kind: ExpressionType.Kind) -> Bool {
    if kind.isOpen { return true }
    return switch self {
    case .date: kind == .date || kind.isNumeric
    case .number, .decimal: kind == .string || kind == .date || kind.isNumeric
    case .string: kind == .string || kind == .uri || kind == .uuid || kind == .date || kind.isNumeric
    case .array, .set, .orderedSet: kind.isCollection
    case .uuid: kind == .string || kind == .uuid
    case .uri: kind == .string || kind == .uri
    case .data: kind == .data || kind == .transformable
    }
  }

  fileprivate func kind(from kind: ExpressionType.Kind) -> ExpressionType.Kind {
    switch self {
    case .date: .date
    case .number: kind.isNumeric ? kind : kind == .date ? .double : .number
    case .string: .string
    case .decimal: .decimal
    case .array: .collection(.array, of: kind.element ?? .any)
    case .set: .collection(.set, of: kind.element ?? .any)
    case .orderedSet: .collection(.orderedSet, of: kind.element ?? .any)
    case .uuid: .uuid
    case .uri: .uri
    case .data: .data
    }
  }
}
