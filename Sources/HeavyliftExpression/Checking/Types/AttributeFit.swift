import HeavyliftModel

/// The share of values of a kind that an attribute can hold: all, some or none.
enum AttributeFit: Hashable {
  case fits
  /// Some values fit.
  case perhaps
  case never

  init(_ kind: ExpressionType.Kind, _ type: AttributeType) {
    self =
      switch type {
      case .undefined: .fits
      // Stores hold the archive of a transformable value as data, and only a policy can archive another value.
      case .transformable: kind == .data || kind == .transformable || kind == .mixed ? .fits : .never
      case .integer16, .integer32, .integer64: kind.isWhole ? .fits : kind.isNumeric ? .perhaps : .never
      case .boolean: kind == .boolean ? .fits : kind.isNumeric ? .perhaps : .never
      case .double, .float: kind.isNumeric ? .fits : .never
      case .decimal: kind.isNumeric ? .fits : .never
      case .string: kind == .string ? .fits : .never
      case .date: kind == .date ? .fits : .never
      case .uuid: kind == .uuid ? .fits : .never
      case .uri: kind == .uri ? .fits : .never
      case .binaryData: kind == .data || kind == .transformable ? .fits : .never
      case .composite:
        switch kind {
        case .composite, .dictionary: .fits
        default: .never
        }
      case .objectID: .never
      }
    if kind == .any || kind == .null { self = .fits }
    if kind == .mixed, type != .transformable { self = .perhaps }
  }
}

extension AttributeType {
  /// True if values are numbers, including Booleans.
  var isNumeric: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean: true
    default: false
    }
  }

  /// Returns advice on how to convert a value of a kind to this type.
  func conversion(of kind: ExpressionType.Kind) -> String? {
    switch (self, kind) {
    case (.integer16, .string), (.integer32, .string), (.integer64, .string), (.double, .string), (.float, .string),
      (.boolean, .string):
      "write 'CAST(…, \"NSNumber\")'"
    case (.decimal, .string): "write 'CAST(…, \"NSDecimalNumber\")'"
    case (.integer16, .date), (.integer32, .date), (.integer64, .date), (.double, .date), (.float, .date),
      (.decimal, .date):
      "write 'CAST(…, \"NSNumber\")' for the seconds since 2001"
    case (.string, .date):
      "write 'FUNCTION(…, \"stringWithFormat:\", \"yyyy-MM-dd\")', or 'FUNCTION(…, \"stringWithISO8601Format\")'"
    case (.string, let kind) where kind.isNumeric || kind == .uuid || kind == .uri:
      "write 'CAST(…, \"NSString\")'"
    case (.date, let kind) where kind.isNumeric: "write 'CAST(…, \"NSDate\")' for seconds since 2001"
    case (.date, .string): EvaluationMistake.readingDates
    case (.uuid, .string): "write 'CAST(…, \"NSUUID\")'"
    case (.uri, .string): "write 'CAST(…, \"NSURL\")'"
    case (.transformable, _): "write a function in an entity policy that archives the value as data"
    default: nil
    }
  }
}
