/// A built-in function of the language. The raw values are its names as selectors.
package enum BuiltinFunction: String, Hashable, Sendable, CaseIterable {
  case average = "average:"
  case sum = "sum:"
  case count = "count:"
  case min = "min:"
  case max = "max:"
  case median = "median:"
  case mode = "mode:"
  case stddev = "stddev:"
  case distinct = "distinct:"

  case add = "add:to:"
  case subtract = "from:subtract:"
  case multiply = "multiply:by:"
  case divide = "divide:by:"
  case modulus = "modulus:by:"
  case squareRoot = "sqrt:"
  case logarithm = "log:"
  case naturalLogarithm = "ln:"
  case power = "raise:toPower:"
  case exponential = "exp:"
  case floor = "floor:"
  case ceiling = "ceiling:"
  case absolute = "abs:"
  case truncate = "trunc:"

  case random = "random"
  case randomBelow = "random:"
  case randomN = "randomn:"
  case now = "now"

  case uppercase = "uppercase:"
  case lowercase = "lowercase:"
  case canonical = "canonical:"
  case length = "length:"
  case tokenize = "tokenize:using:"

  case bitwiseAnd = "bitwiseAnd:with:"
  case bitwiseOr = "bitwiseOr:with:"
  case bitwiseXor = "bitwiseXor:with:"
  case leftShift = "leftshift:by:"
  case rightShift = "rightshift:by:"
  case onesComplement = "onesComplement:"

  case elementAtIndex = "objectFrom:withIndex:"
  case indexed = "indexed:by:"
  case noIndex = "noindex:"
  case distance = "distanceToLocation:fromLocation:"
  case inverseOrderKey = "inverseOrderKey:"

  /// The number of arguments, one per colon in the name.
  package var argumentCount: Int { rawValue.count { $0 == ":" } }
}
