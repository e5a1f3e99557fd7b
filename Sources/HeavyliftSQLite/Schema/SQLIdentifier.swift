extension String {
  /// The name quoted for use in SQL, whatever it contains: `Z"ODD` becomes `"Z""ODD"`.
  ///
  /// A quotation mark is doubled even if it forms one character with another scalar, because SQLite reads bytes.
  package var asSQLIdentifier: String {
    var quoted = "\"".unicodeScalars
    for scalar in unicodeScalars {
      if scalar == "\"" { quoted.append(scalar) }
      quoted.append(scalar)
    }
    quoted.append("\"")
    return String(quoted)
  }
}
