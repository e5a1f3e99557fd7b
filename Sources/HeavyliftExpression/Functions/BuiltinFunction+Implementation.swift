/// The implementation of a built-in function, by its signature.
enum BuiltinImplementation {
  case unary(any UnaryFunction.Type)
  case binary(any BinaryFunction.Type)
  case worldly(any WorldlyFunction.Type)
}

extension BuiltinFunction {
  /// The implementation of the function. To add a function, add a file and a line here.
  var implementation: BuiltinImplementation {
    switch self {
    case .average: .unary(Average.self)
    case .sum: .unary(Sum.self)
    case .count: .unary(Count.self)
    case .min: .unary(Minimum.self)
    case .max: .unary(Maximum.self)
    case .median: .unary(Median.self)
    case .mode: .unary(Mode.self)
    case .stddev: .unary(StandardDeviation.self)
    case .distinct: .unary(Distinct.self)

    case .add: .binary(Addition.self)
    case .subtract: .binary(Subtraction.self)
    case .multiply: .binary(Multiplication.self)
    case .divide: .binary(Division.self)
    case .modulus: .binary(Modulus.self)
    case .squareRoot: .unary(SquareRoot.self)
    case .logarithm: .unary(Logarithm.self)
    case .naturalLogarithm: .unary(NaturalLogarithm.self)
    case .power: .binary(Power.self)
    case .exponential: .unary(Exponential.self)
    case .floor: .unary(Floor.self)
    case .ceiling: .unary(Ceiling.self)
    case .absolute: .unary(AbsoluteValue.self)
    case .truncate: .unary(Truncation.self)

    case .random: .worldly(RandomNumber.self)
    case .randomBelow: .worldly(RandomNumberBelow.self)
    case .randomN: .worldly(RandomNumberN.self)
    case .now: .worldly(Now.self)

    case .uppercase: .unary(Uppercase.self)
    case .lowercase: .unary(Lowercase.self)
    case .canonical: .unary(Canonical.self)
    case .length: .unary(Length.self)
    case .tokenize: .binary(Tokenization.self)

    case .bitwiseAnd: .binary(BitwiseAnd.self)
    case .bitwiseOr: .binary(BitwiseOr.self)
    case .bitwiseXor: .binary(BitwiseXor.self)
    case .leftShift: .binary(LeftShift.self)
    case .rightShift: .binary(RightShift.self)
    case .onesComplement: .unary(OnesComplement.self)

    case .elementAtIndex: .binary(ElementAtIndex.self)
    case .indexed: .binary(Indexed.self)
    case .noIndex: .unary(NoIndex.self)
    case .distance: .binary(Distance.self)
    case .inverseOrderKey: .unary(InverseOrderKey.self)
    }
  }

  /// Calls a function that depends only on its arguments; returns `nil` for a function that needs a context.
  ///
  /// - Throws: `EvaluationMistake`
  package func callPure(_ arguments: [ExpressionValue]) throws(EvaluationMistake) -> ExpressionValue? {
    // The argument count follows from the name, but counting its colons takes longer than many of the functions do.
    switch implementation {
    case .unary(let type) where arguments.count == 1: return try type.call(arguments[0])
    case .binary(let type) where arguments.count == 2: return try type.call(arguments[0], arguments[1])
    case .worldly where arguments.count == argumentCount: return nil
    default: throw .wrongArgumentCount(rawValue, expected: argumentCount, found: arguments.count)
    }
  }
}
