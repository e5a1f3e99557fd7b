/// Names of functions in SQL, Swift and other languages, with their equivalents in this language.
package enum FunctionSynonyms {
  /// Complete example expressions, by function name in lowercase.
  package static let examples: [String: String] = {
    let groups: [([String], String)] = [
      (["split", "explode", "components"], "tokenize:using:('a,b', ',')"),
      (["join", "joined", "implode", "group_concat"], "FUNCTION({'a', 'b'}, 'componentsJoinedByString:', ', ')"),
      (["concat", "append", "appending", "strcat"], "FUNCTION('a', 'stringByAppendingString:', 'b')"),
      (
        ["replace", "replacing", "replacingoccurrences"],
        "FUNCTION('a-b', 'stringByReplacingOccurrencesOfString:withString:', '-', ' ')"
      ),
      (["substr", "substring", "mid", "dropfirst"], "FUNCTION('abc', 'substringFromIndex:', 1)"),
      (["left", "prefix"], "FUNCTION('abc', 'substringToIndex:', 2)"),
      (["upper", "toupper", "touppercase", "uppercased", "ucase"], "uppercase('abc')"),
      (["lower", "tolower", "tolowercase", "lowercased", "lcase"], "lowercase('ABC')"),
      (["capitalize", "capitalized", "initcap"], "FUNCTION('abc', 'capitalizedString')"),
      (["len", "strlen", "char_length", "character_length"], "length('abc')"),
      (["startswith", "hasprefix"], "'abc' BEGINSWITH 'a'"),
      (["endswith", "hassuffix"], "'abc' ENDSWITH 'c'"),
      (["contains", "includes", "instr"], "'abc' CONTAINS 'b'"),
      (["if", "iif", "ifelse", "case", "conditional"], "TERNARY(1 < 2, 'yes', 'no')"),
      (["coalesce", "ifnull", "nvl", "isnull", "nullif"], "TERNARY($x == nil, 'none', $x)"),
      (["ceil"], "ceiling(1.5)"),
      (["round"], "floor(1.5 + 0.5)"),
      (["pow"], "2 ** 3"),
      (["mod"], "modulus:by:(7, 2)"),
      (["avg", "mean"], "average({1, 2})"),
      (["total"], "sum({1, 2})"),
      (["toint", "int", "integer", "number", "tonumber", "parseint"], "CAST('12', 'NSNumber')"),
      (["tostring", "string", "str", "text"], "CAST(12, 'NSString')"),
      (["decimal", "todecimal"], "CAST('1.10', 'NSDecimalNumber')"),
      (
        ["date", "todate", "strptime", "datefromstring", "parsedate", "str_to_date"],
        "FUNCTION('31.01.2024', 'dateWithFormat:', 'dd.MM.yyyy')"
      ),
      (
        ["strftime", "stringfromdate", "formatdate", "date_format", "dateformat"],
        "FUNCTION(now(), 'stringWithFormat:', 'yyyy-MM-dd')"
      ),
      (["today", "current_timestamp", "getdate"], "now()"),
    ]
    return Dictionary(uniqueKeysWithValues: groups.flatMap { names, example in names.map { ($0, example) } })
  }()

  /// Returns the remedy for calling a function by its name in another language.
  static func remedy(for name: String) -> String? {
    let base = name.prefix { $0 != ":" }.lowercased()
    return examples[base].map { "write it as in \($0)" }
  }
}
