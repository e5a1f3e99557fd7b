import HeavyliftModel

/// The precedence of operators between expressions, lowest first.
private enum Level: Int, Comparable {
  case set, or, exclusiveOr, and, shift, sum, product

  static func < (lhs: Level, rhs: Level) -> Bool { lhs.rawValue < rhs.rawValue }

  /// The next higher precedence; nil for the highest.
  var next: Level? { Level(rawValue: rawValue + 1) }
}

private enum InfixOperator {
  case function(BuiltinFunction)
  case set(SetOperator)
}

extension Parser {
  /// Parses a whole side of a comparison, an argument or an element.
  mutating func operand() throws(Failure) -> SyntaxNode {
    token(after: 1).symbol == .assign ? try assignment() : try infix(.set)
  }

  private mutating func assignment() throws(Failure) -> SyntaxNode {
    guard case .variable(let name) = current.kind else { return try infix(.set) }
    let variable = take()
    take()
    let value = try prefixed { parser throws(Failure) in try parser.operand() }
    let depth = try depth(above: [value], at: variable.range)
    let kind = MappingExpression.Kind.assignment(name, try expression(value))
    return SyntaxNode(
      MappingExpression(kind, at: variable.range.through(value.range), name: variable.range), depth: depth)
  }

  /// Parses operands joined by operators of at least this precedence, left-associative.
  private mutating func infix(_ least: Level) throws(Failure) -> SyntaxNode {
    let left = try prefix()
    return infixOperator(current) == nil ? left : try infix(least, behind: left)
  }

  private mutating func infix(_ least: Level, behind first: SyntaxNode) throws(Failure) -> SyntaxNode {
    var left = first
    while let (sign, level) = infixOperator(current), level >= least {
      let token = take()
      let right: SyntaxNode
      if let tighter = level.next {
        right = try infix(tighter)
      } else {
        right = try prefix()
      }
      left = try join(left, sign, token, right)
    }
    return left
  }

  private func infixOperator(_ token: Token) -> (InfixOperator, Level)? {
    switch token.symbol {
    case .pipe: return (.function(.bitwiseOr), .or)
    case .caret: return (.function(.bitwiseXor), .exclusiveOr)
    case .ampersand: return (.function(.bitwiseAnd), .and)
    case .shiftLeft: return (.function(.leftShift), .shift)
    case .shiftRight: return (.function(.rightShift), .shift)
    case .plus: return (.function(.add), .sum)
    case .minus: return (.function(.subtract), .sum)
    case .times: return (.function(.multiply), .product)
    case .divided: return (.function(.divide), .product)
    default: return token.keyword?.setOperator.map { (.set($0), .set) }
    }
  }

  private mutating func join(
    _ left: SyntaxNode, _ sign: InfixOperator, _ token: Token, _ right: SyntaxNode
  ) throws(Failure) -> SyntaxNode {
    if left.isPredicate || right.isPredicate {
      switch token.symbol {
      case .ampersand: throw failure(.predicatesJoined(by: "&"), at: token.range)
      case .pipe: throw failure(.predicatesJoined(by: "|"), at: token.range)
      default: break
      }
    }
    let (first, second) = (try expression(left), try expression(right))
    let kind: MappingExpression.Kind =
      switch sign {
      case .function(let function): .function(function, [first, second])
      case .set(let operation): .set(operation, first, second)
      }
    let depth = try depth(above: [left, right], at: token.range)
    return SyntaxNode(
      MappingExpression(kind, at: left.range.through(right.range), name: token.range), depth: depth)
  }

  private mutating func prefix() throws(Failure) -> SyntaxNode {
    if current.symbol == .minus || current.symbol == .tilde { return try signed() }
    let left = try postfix()
    return current.symbol == .power ? try power(behind: left) : left
  }

  private mutating func signed() throws(Failure) -> SyntaxNode {
    let sign = take()
    if sign.symbol == .minus, token(after: 1).symbol != .power, let number = negativeNumber(behind: sign) {
      return number
    }
    let operand = try prefixed { parser throws(Failure) in try parser.prefix() }
    return try apply(sign, to: operand)
  }

  /// `a ** b ** c` is `(a ** b) ** c`, unlike in mathematics.
  private mutating func power(behind first: SyntaxNode) throws(Failure) -> SyntaxNode {
    var left = first
    while let token = take(.power) {
      var right: SyntaxNode
      if let sign = take(.minus) {
        if let number = negativeNumber(behind: sign) {
          right = number
        } else {
          right = try apply(sign, to: try postfix())
        }
      } else {
        right = try postfix()
      }
      left = try join(left, .function(.power), token, right)
    }
    return left
  }

  /// Parses a number directly after a minus sign as one constant: there is no other way to write the smallest integer.
  private mutating func negativeNumber(behind sign: Token) -> SyntaxNode? {
    guard token(after: 1).symbol != .dot, token(after: 1).symbol != .openBracket else { return nil }
    let value: Value
    switch current.kind {
    case .integer(let magnitude): value = .integer(Int64(truncatingIfNeeded: 0 &- magnitude))
    case .double(let magnitude): value = .double(-magnitude)
    default: return nil
    }
    let range = sign.range.through(take().range)
    return SyntaxNode(MappingExpression(.constant(.value(value)), at: range))
  }

  /// Applies `-` or `~` to an operand: `-a` becomes `0 - a`.
  private mutating func apply(_ sign: Token, to operand: SyntaxNode) throws(Failure) -> SyntaxNode {
    let value = try expression(operand)
    let range = sign.range.through(operand.range)
    let depth = try depth(above: [operand], at: sign.range)
    let kind: MappingExpression.Kind
    if sign.symbol == .minus {
      let zero = MappingExpression(.constant(.value(.integer(0))), at: SourceRange(range.lowerBound, range.lowerBound))
      kind = .function(.subtract, [zero, value])
    } else {
      kind = .function(.onesComplement, [value])
    }
    return SyntaxNode(MappingExpression(kind, at: range, name: sign.range), depth: depth)
  }
}
