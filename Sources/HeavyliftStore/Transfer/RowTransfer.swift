import HeavyliftExpression
import HeavyliftModel
import HeavyliftSQLite

/// The statement that creates the rows of a destination entity from those of a source entity.
///
/// It writes exactly what would be written object by object. If this is not certain for a part of the mapping, that
/// part is refused with a reason before any row is written.
package struct RowTransfer {
  /// The source of an attribute's values.
  package enum AttributeSource {
    /// The model's default value.
    case none
    case constant(Value)
    /// An expression with the source object as `$source`.
    case expression(MappingExpression)
  }

  /// The target of a to-one relationship: the result of a function of a source object's key.
  package struct Link {
    /// The source relationship that leads to that object; nil for the source object itself.
    var relationship: String?
    /// Returns the key of the object's counterpart. Nil if all possible objects are migrated under their own keys.
    var keyFunction: String?
    /// Returns `Z_ENT` of the object's counterpart.
    var entityFunction: String
    /// True if an ordered inverse keeps the order of the source's inverse; otherwise it is sorted by the owners' keys.
    var keepsOrder: Bool

    package init(relationship: String?, keyFunction: String?, entityFunction: String, keepsOrder: Bool) {
      self.relationship = relationship
      self.keyFunction = keyFunction
      self.entityFunction = entityFunction
      self.keepsOrder = keepsOrder
    }
  }

  /// The expression for the value of a new row's column, with facts about it that plans and statements need.
  struct ColumnValue {
    var sql: String
    var bindings: [SQLValue] = []
    var sources = SQLSources()
    /// The value, if it is the same in all rows.
    var constant: SQLValue?
    /// The source's column, if the value is copied from it and may be a reference to a file.
    var externalColumn: String?

    static let null = ColumnValue(sql: "NULL", constant: .null)

    static func constant(_ value: SQLValue) -> ColumnValue {
      ColumnValue(sql: "?", bindings: [value], constant: value)
    }

    /// A value that depends on one column of the source's row: an expression with it, or the column itself.
    static func column(_ name: String, _ sql: (String) -> String = { $0 }) -> ColumnValue {
      let column = RowTransfer.column(name)
      let text = sql(column)
      return ColumnValue(sql: text, sources: SQLSources(rowColumn: text == column ? name : nil))
    }
  }

  private static let joinLimit = 40
  static let keyColumn = "Z_PK"

  /// A column of the source's row.
  static func column(_ name: String) -> String { "t0.\(SQLName(name))" }

  let source: EntityRuntime
  let destination: EntityRuntime
  let blueprint: StoreBlueprint
  /// The columns of the new row's table, in order, after the key, the entity and the version.
  private let columns: [String]
  private let schema: StoreSchema
  let filter: SQLFragment?
  /// The values of the new row, by column.
  var values: [String: ColumnValue] = [:]
  private(set) var joins: [SQLFragment.Join] = []
  private(set) var functions: [SQLFunction] = []
  private(set) var coercions: [Coercion] = []
  /// The functions that store values in files, by column of the new row.
  private(set) var externals: [String: ExternalTransfer] = [:]
  /// The folder of the source's large values.
  let sourceFolder: ExternalDataFolder?
  private var fragmentCount = 0
  /// The attributes that are unchanged columns of the source's row, with the names of the source's attributes.
  private(set) var copies: [String: String] = [:]
  /// The attributes whose expressions may fail.
  package private(set) var fallible: Set<String> = []
  /// The attributes whose expressions may return NaN.
  package private(set) var maybeNaN: Set<String> = []
  /// The columns that expressions read from rows of other objects, by entity. The survey of the source rows does not
  /// cover them.
  package private(set) var otherReads: [String: Set<String>] = [:]
  /// The columns that the filter reads from the row itself.
  package private(set) var filterColumns: Set<String> = []
  /// The columns that the filter reads from rows of other objects, by entity.
  package private(set) var otherFilterReads: [String: Set<String>] = [:]

  /// - Throws: `NotTranslated`
  package init(
    from source: StoreBlueprint, entity: String, where filter: MappingPredicate?, to destination: StoreBlueprint,
    entity destinationEntity: String
  ) throws(NotTranslated) {
    sourceFolder = source.externalData
    guard let old = source.runtime.byName[entity], let new = destination.runtime.byName[destinationEntity] else {
      throw NotTranslated("one of its entities is not in the store")
    }
    guard !new.isAbstract else { throw NotTranslated("entity '\(destinationEntity)' is abstract") }
    (self.source, self.destination) = (old, new)
    blueprint = source
    let table = destination.layout.tables.first { $0.name == new.layout.tableName }
    columns = table?.columns.dropFirst(3).map(\.name) ?? []
    schema = StoreSchema(runtime: source.runtime, database: SourceAttachment.name)
    let translator = SQLTranslator(schema: schema, entity: entity, aliasPrefix: "w")
    self.filter = try filter.map { predicate throws(NotTranslated) in try translator.translate(predicate) }
    if let filter = self.filter {
      functions = filter.functions
      joins = filter.joins
      for read in filter.reads {
        if read.isOfRow {
          filterColumns.insert(read.column)
        } else {
          otherFilterReads[read.entity, default: []].insert(read.column)
        }
      }
    }
    for attribute in new.columns.attributes where attribute.column.isDerived {
      values[attribute.column.column] = .null
    }
  }

  /// True if no new row depends on any row except its source row.
  package var readsRowAlone: Bool {
    joins.isEmpty && filter?.sources.readsOtherRows != true && !values.values.contains(where: \.sources.readsOtherRows)
  }

  /// True if values or the filter call functions that are implemented in Swift.
  package var callsFunctions: Bool { !functions.isEmpty || !coercions.isEmpty || !externals.isEmpty }

  /// Sets the source of an attribute's values.
  package mutating func set(_ name: String, to value: AttributeSource) throws(NotTranslated) {
    guard case .attribute(let slot)? = destination.slots[name] else {
      throw NotTranslated("entity '\(destination.name)' has no attribute '\(name)'")
    }
    let attribute = destination.attributes[slot]
    guard let column = attribute.column else { return try setTransient(name, to: value) }
    if column.isDerived { return }
    switch value {
    case .none: try setConstant(destination.defaults[slot], column)
    case .constant(let value): try setConstant(value, column)
    case .expression(let expression): try set(column, to: expression)
    }
  }

  /// A transient attribute is not stored, but its expression may fail, so it must be evaluated.
  private mutating func setTransient(_ name: String, to value: AttributeSource) throws(NotTranslated) {
    guard case .expression = value else { return }
    throw NotTranslated("attribute '\(name)' is transient: its expression is evaluated only to find mistakes")
  }

  private mutating func setConstant(_ value: Value, _ column: AttributeColumn) throws(NotTranslated) {
    if value.isNull {
      for leaf in column.leafColumns { values[leaf] = .null }
      return
    }
    guard column.type != .composite else {
      throw NotTranslated("attribute '\(column.name)' is a composite, whose elements have columns of their own")
    }
    if column.mayBeExternal, case .data(let data) = value {
      let external = ExternalTransfer(storing: column)
      externals[column.column] = external
      values[column.column] = ColumnValue(sql: "\(external.name)(?)", bindings: [.blob(data)])
      return
    }
    guard let stored = try? AttributeCodec.encode(value, as: column) else {
      throw NotTranslated("the value of attribute '\(column.name)' cannot be stored")
    }
    values[column.column] = .constant(SQLValue(stored))
  }

  /// Copies a composite attribute, element by element.
  ///
  /// - Parameters:
  ///   - elements: The sources of the elements; nil to copy each from the one with its name.
  ///   - condition: The condition for the outer composite to have a value; nil if it always has one.
  private mutating func copy(
    _ old: AttributeColumn?, to new: AttributeColumn, _ elements: CompositeCopy?, if condition: String? = nil
  ) throws(NotTranslated) {
    if elements == nil, let old,
      let stray = old.elements.first(where: { element in !new.elements.contains { $0.name == element.name } })
    {
      throw NotTranslated("composite '\(new.name)' has no element '\(stray.name)'")
    }
    let isThere = elements.flatMap { Self.condition($0, old, and: condition) }
    for element in new.elements {
      let planned = elements?.elements.first { $0.name == element.name }
      let name = elements == nil ? element.name : planned?.source
      let source = old?.elements.first { $0.name == name }
      guard source.map({ $0.type == element.type }) ?? true else {
        throw NotTranslated("element '\(element.name)' of composite '\(new.name)' has a different type")
      }
      if element.type == .composite {
        try copy(source, to: element, planned?.inner, if: isThere)
      } else {
        values[element.column] = try Self.value(of: element, from: source, planned?.fallback ?? .null, if: isThere)
      }
    }
  }

  /// Returns the condition for a composite to have a value; nil if it always has one.
  private static func condition(
    _ elements: CompositeCopy, _ old: AttributeColumn?, and outer: String?
  ) -> String? {
    guard elements.isOptional else { return outer }
    let leaves = (old?.leafColumns ?? []).map { "\(column($0)) IS NOT NULL" }
    let own = leaves.isEmpty ? "0" : "(\(leaves.joined(separator: " OR ")))"
    return [outer, own].compactMap(\.self).joined(separator: " AND ")
  }

  private static func value(
    of element: AttributeColumn, from source: AttributeColumn?, _ fallback: Value, if condition: String?
  ) throws(NotTranslated) -> ColumnValue {
    // Any number except 0 is true.
    let copied = source.map { source -> ColumnValue in
      element.type == .boolean ? .column(source.column) { "(\($0) <> 0)" } : .column(source.column)
    }
    if fallback.isNull { return copied ?? .null }
    guard let stored = try? AttributeCodec.encode(fallback, as: element) else {
      throw NotTranslated("the default of element '\(element.name)' cannot be stored")
    }
    if copied == nil, condition == nil { return .constant(SQLValue(stored)) }
    let filled = condition.map { "CASE WHEN \($0) THEN ? END" } ?? "?"
    return ColumnValue(
      sql: copied.map { "ifnull(\($0.sql), \(filled))" } ?? filled, bindings: [SQLValue(stored)])
  }

  private mutating func set(_ column: AttributeColumn, to expression: MappingExpression) throws(NotTranslated) {
    if column.type == .composite, let copied = copiedColumn(expression), copied.type == .composite {
      try copy(copied, to: column, elements(of: column, from: copied))
      return
    }
    if let copied = copiedColumn(expression), copied.type == column.type,
      let external = ExternalTransfer(from: copied, to: column)
    {
      externals[column.column] = external
      if external.keepsColumn { copies[column.name] = copied.name }
      values[column.column] = .column(copied.column) { "\(external.name)(\($0))" }
      values[column.column]?.externalColumn = copied.column
      return
    }
    if column.mayBeExternal { throw NotTranslated("attribute '\(column.name)' may be stored in a file") }
    guard let wanted = SQLKind(column.type) else {
      throw NotTranslated("attribute '\(column.name)' is a composite, whose elements have columns of their own")
    }
    fragmentCount += 1
    let translator = SQLTranslator(
      schema: schema, entity: source.name, rowVariables: ["source"], aliasPrefix: "a\(fragmentCount)_")
    let fragment = try translator.translate(expression)
    guard !fragment.kind.isObjectKey else {
      throw NotTranslated("the expression gives an object", at: expression.range)
    }
    guard joins.count + fragment.joins.count <= Self.joinLimit else {
      throw NotTranslated("together, its expressions follow too many relationships", at: expression.range)
    }
    joins += fragment.joins
    for function in fragment.functions where !functions.contains(function) { functions.append(function) }
    for read in fragment.reads where !read.isOfRow { otherReads[read.entity, default: []].insert(read.column) }
    if fragment.mayBeNaN { maybeNaN.insert(column.name) }
    let isFloat = column.type == .float && copiedColumn(expression)?.type != .float
    let coercion = try coercion(of: fragment, to: wanted, column, isColumn: expression.isPath, narrows: isFloat)
    if fragment.mayFail || coercion != nil { fallible.insert(column.name) }
    if let copied = copiedColumn(expression), fragment.kind == wanted {
      copies[column.name] = copied.name
    }
    var sources = fragment.sources
    if coercion != nil { sources.rowColumn = nil }
    values[column.column] = ColumnValue(
      sql: "\(coercion?.name ?? "")(\(fragment.sql))", bindings: fragment.bindings, sources: sources)
  }

  private func elements(of column: AttributeColumn, from copied: AttributeColumn) -> CompositeCopy? {
    guard case .attribute(let old)? = source.slots[copied.name],
      case .attribute(let new)? = destination.slots[column.name]
    else { return nil }
    return CompositeCopy(
      from: source.attributes[old].description, in: source.model, to: destination.attributes[new].description,
      in: destination.model)
  }

  /// Returns the column of the source's row that the expression copies unchanged; nil for any other expression.
  private func copiedColumn(_ expression: MappingExpression) -> AttributeColumn? {
    guard case .keyPath(let base, let path) = expression.kind, case .variable("source") = base.kind,
      path.keys.count == 1, case .name(let name) = path.keys[0], case .attribute(let slot)? = source.slots[name]
    else { return nil }
    return source.attributes[slot].column
  }

  /// Returns the conversion of a value to the attribute's type; nil if it needs none.
  private mutating func coercion(
    of fragment: SQLFragment, to wanted: SQLKind, _ column: AttributeColumn, isColumn: Bool, narrows: Bool
  ) throws(NotTranslated) -> Coercion? {
    switch (fragment.kind, wanted) {
    case (.null, _), (.bool, .integer), (.bool, .decimal), (.integer, .decimal): return nil
    case (let kind, _) where kind == wanted:
      if !narrows { return nil }
    case (.double, _), (.number, _), (.date, _):
      // SQL represents NaN as NULL, and only floating-point types can store NaN.
      guard isColumn || !fragment.mayBeNaN else {
        throw NotTranslated("the result may be NaN, which \(column.type.modelName) cannot store")
      }
    default: break
    }
    let coercion = Coercion(fragment: fragment, column: column)
    if !coercions.contains(where: { $0.name == coercion.name }) { coercions.append(coercion) }
    return coercion
  }

  /// Sets the target of a to-one relationship.
  package mutating func set(_ name: String, to link: Link) throws(NotTranslated) {
    guard let column = destination.layout.toOne(named: name) else {
      throw NotTranslated("relationship '\(name)' is not stored")
    }
    var (sourceColumn, key) = (Self.keyColumn, Self.column(Self.keyColumn))
    var old: ToOneColumn?
    if let relationship = link.relationship {
      guard let found = source.layout.toOne(named: relationship) else {
        throw NotTranslated("source relationship '\(relationship)' is not stored")
      }
      old = found
      (sourceColumn, key) = (found.column, "CAST(\(Self.column(found.column)) AS INTEGER)")
    }
    let target = link.keyFunction.map { "\($0)(\(key))" } ?? key
    values[column.column] = .column(sourceColumn) { _ in target }
    if let orderColumn = column.orderColumn {
      let place = OrderKeys.place(inInverseOf: link.keepsOrder ? old : nil, row: "t0")
      values[orderColumn] = ColumnValue(sql: "CASE WHEN \(target) IS NOT NULL THEN \(place) END")
    }
    if let entityColumn = column.entityColumn {
      values[entityColumn] = .column(sourceColumn) { _ in "\(link.entityFunction)(\(key))" }
    }
  }

  // MARK: Statements

  var origin: String {
    let joined = joins.map { " " + $0.text }.joined()
    return "FROM \(SourceAttachment.name).\(SQLName(source.layout.tableName)) t0\(joined)"
  }

  var condition: String { condition(orWhere: nil) }

  /// Returns the condition for the source rows and other rows of the entity.
  ///
  /// - Parameter other: A condition for more rows, which the filter excludes.
  func condition(orWhere other: String?) -> String {
    let belongs = "\(source.layout.numberSQL("t0")) = \(source.layout.number)"
    guard let filter else { return belongs }
    let wanted = "((\(filter.sql))\(other.map { " OR \($0)" } ?? ""))"
    // SQLite may evaluate conditions in any order, and the filter must not fail for rows of other entities.
    return filter.mayFail ? "CASE WHEN \(belongs) THEN \(wanted) ELSE 0 END" : "\(belongs) AND \(wanted)"
  }

  var filterBindings: [SQLiteValue] { filter?.bindings.map(SQLiteValue.init) ?? [] }

  /// A function that is called with the key of a source row while its new row is created, for some of the rows, and
  /// returns 1.
  package struct Watching {
    package var function: String
    /// The interval between the keys for which it is called.
    var interval: Int64
    /// One of those keys.
    var key: Int64

    package init(function: String, interval: Int64, key: Int64) {
      (self.function, self.interval, self.key) = (function, interval, key)
    }

    fileprivate var expression: String {
      let call = "\(function)(t0.Z_PK)"
      return interval == 1 ? call : "CASE t0.Z_PK % \(interval) WHEN \(key % interval) THEN \(call) ELSE 1 END"
    }
  }

  /// Returns the statement that creates the rows.
  ///
  /// - Parameter offset: The difference between a new row's key and the source row's.
  package func insertion(keyOffset offset: Int64, _ watching: Watching) -> (sql: String, bindings: [SQLiteValue]) {
    let key = offset == 0 ? "t0.Z_PK" : "t0.Z_PK + \(offset)"
    var expressions = [key, "\(destination.layout.number)", watching.expression]
    var bindings: [SQLiteValue] = []
    // If all columns are listed in the table's order, SQLite does not copy values to other registers.
    for value in columns.map({ values[$0] ?? .null }) {
      expressions.append(value.sql)
      bindings += value.bindings.map(SQLiteValue.init)
    }
    let names = (["Z_PK", "Z_ENT", "Z_OPT"] + columns).map { SQLName($0).description }
    let sql =
      "INSERT INTO main.\(SQLName(destination.layout.tableName)) (\(names.joined(separator: ", "))) "
      + "SELECT \(expressions.joined(separator: ", ")) \(origin) WHERE \(condition) ORDER BY t0.Z_PK"
    return (sql, bindings + filterBindings)
  }

  /// A query for the keys of the source rows.
  fileprivate var keys: (sql: String, bindings: [SQLiteValue]) {
    ("SELECT t0.Z_PK \(origin) WHERE \(condition)", filterBindings)
  }
}

extension PersistentStore {
  /// Calls a function with the key of each source row of a transfer, whose statements run on this store's connection.
  package func forEachSourceKey(of transfer: RowTransfer, _ body: (Int64) throws -> Void) throws {
    try register(transfer)
    let (sql, bindings) = transfer.keys
    try reporting {
      let statement = try database.prepare(sql)
      try statement.bind(bindings)
      var cursor = statement.query()
      while try cursor.next() { try body(cursor.row.integer(at: 0)) }
    }
  }
}

extension SQLKind {
  fileprivate var isObjectKey: Bool { if case .object = self { true } else { false } }
}

extension MappingExpression {
  /// True if the expression is a plain key path, whose value is an unchanged column.
  fileprivate var isPath: Bool {
    guard case .keyPath(let base, _) = kind else { return false }
    if case .variable = base.kind { return true }
    return base.isPath
  }
}
