extension String {
  /// The name quoted for use in SQL, whatever it contains: `Z"ODD` becomes `"Z""ODD"`.
  public var asSQLIdentifier: String { "\"\(replacing("\"", with: "\"\""))\"" }
}
