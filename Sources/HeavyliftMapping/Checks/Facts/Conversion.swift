import HeavyliftModel

/// A conversion of values from one type to another by an expression.
struct Conversion {
  private enum Form {
    case cast(String)
    /// A function of the value, with its arguments after a comma.
    case function(String)
  }

  private let form: Form
  /// The part that the author has to fill in: "the format of its strings"; nil if the expression is complete.
  let blank: String?

  /// Returns `nil` if no expression can convert the value.
  init?(from source: AttributeType, to destination: AttributeType) {
    var blank: String?
    switch (source, destination) {
    case (.string, .decimal): form = .cast("NSDecimalNumber")
    case (.string, let type) where type.isNumber: form = .cast("NSNumber")
    case (.date, let type) where type.isNumber && type != .boolean: form = .cast("NSNumber")
    case (let type, .string) where type.isNumber: form = .cast("NSString")
    case (.uuid, .string), (.uri, .string): form = .cast("NSString")
    // Unlike a cast, it keeps fractions of seconds.
    case (.date, .string): form = .function("\"stringWithISO8601Format\"")
    case (.string, .date):
      form = .function("\"dateWithFormat:\", \"yyyy-MM-dd\"")
      blank = "the format of its strings"
    case (let type, .date) where type.isNumber && type != .boolean: form = .cast("NSDate")
    case (.string, .uuid): form = .cast("NSUUID")
    case (.string, .uri): form = .cast("NSURL")
    default: return nil
    }
    self.blank = blank
  }

  func expression(_ value: String) -> String {
    switch form {
    case .cast(let typeName): "CAST(\(value), \"\(typeName)\")"
    case .function(let call): "FUNCTION(\(value), \(call))"
    }
  }
}
