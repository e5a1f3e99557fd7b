extension DateFlaw {
  /// The reason, after "a string is not a date in format '…': ".
  var problem: String {
    switch self {
    case .empty: "it is empty"
    case .expected(let part, let place):
      "\(part.hasPrefix("'") ? part : "the \(part)") is expected at character \(place)"
    case .outside(let part): "there is no such \(part)"
    case .noSuchDay: "there is no such day"
    case .otherWeekday: "its day is on another weekday"
    case .skippedTime: "the clocks in its time zone skip this time"
    case .excess(let place): "something follows the date at character \(place)"
    case .missingTimeZone: "its time is without a time zone"
    }
  }

  var remedy: String {
    switch self {
    case .empty: "if it means that there is no date, write 'TERNARY(… == \"\", nil, …)'"
    case .skippedTime: "correct it, or read it in another time zone"
    case .missingTimeZone: "write 'FUNCTION(…, \"dateWithISO8601FormatInTimeZone:\", \"UTC\")' with its time zone"
    default: "correct it; if strings have several formats, choose one with 'TERNARY(… MATCHES …, …, …)'"
    }
  }
}
