/// Calls a function on a string; nil stays nil.
func callText(
  _ operand: ExpressionValue, _ name: String, _ function: (String) -> ExpressionValue
) throws(EvaluationMistake) -> ExpressionValue {
  switch operand {
  case .null: return .null
  case .string(let text): return function(text)
  default: throw .wrongOperand(of: name, expected: "a string", found: operand.kind)
  }
}

/// The number of UTF-16 units in a string, like `NSString.length`.
enum Length: UnaryFunction {
  static let function = BuiltinFunction.length

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    try callText(operand, name) { .integer(Int64($0.utf16.count)) }
  }
}

extension String {
  /// The same as `uppercased()`, but several times faster if most letters are ASCII and some are not.
  var inCapitals: String { changed(to: .upper) { $0.properties.uppercaseMapping } ?? uppercased() }

  /// The same as `lowercased()`, but several times faster if most letters are ASCII and some are not, and with "ς" for
  /// a sigma at the end of a word, as in NSString.
  var inSmallLetters: String {
    let text = withFinalSigmas
    return text.changed(to: .lower) { $0.properties.lowercaseMapping } ?? text.lowercased()
  }

  /// The text with "ς" for each "Σ" at the end of a word: after a letter with case, and not before one. Characters such
  /// as accents and apostrophes in between do not count (Unicode Standard, section 3.13, Final_Sigma).
  private var withFinalSigmas: String {
    // The first byte of "Σ" in UTF-8.
    guard utf8.contains(0xCE) else { return self }
    var result = String.UnicodeScalarView()
    // A "Σ" after a letter, and the ignored characters after it, until the next character decides.
    var undecided: String.UnicodeScalarView?
    var isAfterLetter = false
    for scalar in unicodeScalars {
      if !scalar.properties.isCaseIgnorable {
        let isLetter = scalar.properties.isCased
        if let held = undecided.take() {
          result.append(isLetter ? "Σ" : "ς")
          result.append(contentsOf: held)
        }
        defer { isAfterLetter = isLetter }
        if scalar == "Σ", isAfterLetter {
          undecided = String.UnicodeScalarView()
          continue
        }
      } else if undecided != nil {
        undecided?.append(scalar)
        continue
      }
      result.append(scalar)
    }
    if let undecided {
      result.append("ς")
      result.append(contentsOf: undecided)
    }
    return String(result)
  }

  /// Returns `nil` for pure ASCII, where Swift is just as fast, or if the result is much longer than the string.
  private func changed(to letterCase: ASCIICase, _ change: (Unicode.Scalar) -> String) -> String? {
    guard !utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    var isWhole = true
    let result = String(unsafeUninitializedCapacity: utf8.count + 16) { bytes in
      var count = 0
      func append(_ byte: UInt8) {
        guard count < bytes.count else {
          isWhole = false
          return
        }
        bytes.initializeElement(at: count, to: byte)
        count += 1
      }
      for scalar in unicodeScalars {
        if scalar.isASCII {
          append(letterCase.changed(UInt8(scalar.value)))
        } else {
          for byte in change(scalar).utf8 { append(byte) }
        }
      }
      return isWhole ? count : 0
    }
    return isWhole ? result : nil
  }
}

/// The string in lowercase, independent of the locale.
enum Lowercase: UnaryFunction {
  static let function = BuiltinFunction.lowercase

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    try callText(operand, name) { .string($0.inSmallLetters) }
  }
}

/// The string in uppercase, independent of the locale.
enum Uppercase: UnaryFunction {
  static let function = BuiltinFunction.uppercase

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    try callText(operand, name) { .string($0.inCapitals) }
  }
}

/// The string folded so that differences in case and diacritics disappear, as for `LIKE[cd]`.
enum Canonical: UnaryFunction {
  static let function = BuiltinFunction.canonical

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    try callText(operand, name) { .string(Folding.canonical.fold($0)) }
  }
}

/// The nonempty parts of a string between any of the separator characters.
enum Tokenization: BinaryFunction {
  static let function = BuiltinFunction.tokenize

  static func call(
    _ left: ExpressionValue, _ right: ExpressionValue
  ) throws(EvaluationMistake) -> ExpressionValue {
    if left.isNull || right.isNull { return .null }
    guard case .string(let text) = left, case .string(let separators) = right else {
      let wrong = if case .string = left { right } else { left }
      throw .wrongOperand(of: name, expected: "strings", found: wrong.kind)
    }
    let characters = Set(separators)
    return .array(text.split { characters.contains($0) }.map { .string(String($0)) })
  }
}
