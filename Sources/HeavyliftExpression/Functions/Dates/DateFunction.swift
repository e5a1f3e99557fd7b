import Foundation

/// A function that reads a date from a string, or writes one to a string.
///
/// On Apple's platforms, a category of `NSString` or `NSDate` can have a method with the same selector.
struct DateFunction: Sendable {
  enum Parameter: String { case format, timeZone, locale, twoDigitStartYear }

  let selector: String
  let use: DateFormat.Use
  private let parameters: [Parameter]

  static let all: [DateFunction] = [
    DateFunction("dateWithFormat:", .reading, [.format]),
    DateFunction("dateWithFormat:timeZone:", .reading, [.format, .timeZone]),
    DateFunction("dateWithFormat:timeZone:locale:", .reading, [.format, .timeZone, .locale]),
    DateFunction("dateWithFormat:twoDigitStartYear:", .reading, [.format, .twoDigitStartYear]),
    DateFunction(
      "dateWithFormat:timeZone:locale:twoDigitStartYear:", .reading, [.format, .timeZone, .locale, .twoDigitStartYear]),
    DateFunction("dateWithISO8601Format", .reading, []),
    DateFunction("dateWithISO8601FormatInTimeZone:", .reading, [.timeZone]),
    DateFunction("stringWithFormat:", .writing, [.format]),
    DateFunction("stringWithFormat:timeZone:", .writing, [.format, .timeZone]),
    DateFunction("stringWithFormat:timeZone:locale:", .writing, [.format, .timeZone, .locale]),
    DateFunction("stringWithISO8601Format", .writing, []),
  ]

  private init(_ selector: String, _ use: DateFormat.Use, _ parameters: [Parameter]) {
    (self.selector, self.use, self.parameters) = (selector, use, parameters)
  }

  /// The function for the registry.
  var registered: RegisteredFunction {
    var function = RegisteredFunction(
      selector: selector, receiverKind: use == .reading ? String.expressionKind : Date.expressionKind,
      accepts: { [use] value in
        switch value {
        case .string: use == .reading
        case .date: use == .writing
        default: false
        }
      },
      call: { value, arguments in try body(arguments)(value) })
    function.signature.argumentTypes = parameters.map { ExpressionType($0 == .twoDigitStartYear ? .integer : .string) }
    function.signature.resultType = ExpressionType(use == .reading ? .date : .string)
    function.prepare = { arguments in try body(arguments) }
    function.checkArgument = { place, argument throws(EvaluationMistake) in try check(argument, at: place) }
    return function
  }

  /// Returns the function for certain arguments: a format is read once rather than for each value.
  private func body(
    _ arguments: [ExpressionValue]
  ) throws(EvaluationMistake) -> @Sendable (ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    var texts: [Parameter: String] = [:]
    var startYear: Int?
    var reader = ArgumentReader(selector, arguments)
    for (place, parameter) in parameters.enumerated() {
      if parameter == .twoDigitStartYear {
        startYear = try checked(startYear: try reader.next(Int.self), at: place)
      } else {
        texts[parameter] = try reader.next(String.self)
      }
    }
    guard let text = texts[.format] else { return try bodyInISOFormat(timeZone: texts[.timeZone]) }
    let format = try DateFormat(
      text, timeZone: texts[.timeZone] ?? DateFormat.universalTime, locale: texts[.locale],
      twoDigitStartYear: startYear, for: use)
    return { [selector] value throws(EvaluationMistake) in
      switch value {
      case .string(let text):
        do throws(DateFlaw) {
          return .date(try format.date(text))
        } catch {
          throw .notADate(format: format.text, error)
        }
      case .date(let date):
        guard let text = format.string(date) else { throw .unwritableDate(by: selector) }
        return .string(text)
      default: return .null
      }
    }
  }

  private func bodyInISOFormat(
    timeZone: String?
  ) throws(EvaluationMistake) -> @Sendable (ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    var zone: DateZone?
    if let timeZone { zone = try DateZone(named: timeZone) }
    return { [selector, zone] value throws(EvaluationMistake) in
      switch value {
      case .string(let text):
        do throws(DateFlaw) {
          return .date(try ISODate.date(text, in: zone))
        } catch {
          throw .notADate(format: nil, error)
        }
      case .date(let date):
        guard let text = ISODate.string(date) else { throw .unwritableDate(by: selector) }
        return .string(text)
      default: return .null
      }
    }
  }

  /// Checks an argument without the others.
  private func check(_ argument: ExpressionValue, at place: Int) throws(EvaluationMistake) {
    guard parameters.indices.contains(place) else { return }
    switch (parameters[place], argument) {
    case (.format, .string(let text)):
      // Only the last parameter makes a year of two digits a year.
      _ = try DateFormat(text, twoDigitStartYear: parameters.contains(.twoDigitStartYear) ? 1 : nil, for: use)
    case (.timeZone, .string(let name)): _ = try DateZone(named: name)
    case (.locale, .string(let name)): _ = try DateNames.locale(named: name)
    case (.twoDigitStartYear, .integer(let year)): _ = try checked(startYear: Int(year), at: place)
    default: break
    }
  }

  private func checked(startYear year: Int, at place: Int) throws(EvaluationMistake) -> Int {
    // The hundred years end in the year 9999 at the latest.
    guard (1...9900).contains(year) else {
      throw .wrongArgument(place + 1, of: selector, expected: "a year from 1 to 9900", found: "another number")
    }
    return year
  }
}
