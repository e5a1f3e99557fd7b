extension String {
  /// The name as SQL takes it whatever it contains: `Z"ODD` becomes `"Z""ODD"`.
  public var asSQLIdentifier: String { "\"\(replacing("\"", with: "\"\""))\"" }
}
