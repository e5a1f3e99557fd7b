import Heavylift
import HeavyliftExpression
import HeavyliftModel
import HeavyliftStore

/// `heavylift evaluate 'EXPRESSION'`: evaluates an expression or a predicate on an entity's objects.
package struct EvaluateCommand: Command {
  package static let description = CommandDescription(
    name: "evaluate", abstract: "Try an expression or a predicate on a store's objects",
    discussion: """
      Writes the value for every object of the entity and its sub-entities, ordered by key: one object and its value \
      per line. The expression can be any that works in a mapping file or a fetch request; 'SELF' and '$source' are \
      the object. An expression that needs no object is evaluated without a store.

      In a tool of your own, expressions can call its registered functions through '$manager' and, with --policy, \
      those of a policy through '$entityPolicy'.

      With --sql, shows the SQL translation instead. If there is none, shows the reason and exits with 2; a fetch \
      request then evaluates the expression in memory, with the same values. With --tree, shows the structure as \
      parsed, which needs no store.
      """,
    arguments: [.init("EXPRESSION", help: "An expression or a predicate.")],
    options: [
      .init("store", shortName: "s", value: "STORE", help: "The store's file."),
      .init("entity", shortName: "e", value: "NAME", help: "The entity to evaluate the expression on."), .storeModels,
      .init("where", shortName: "w", value: "PREDICATE", help: "Evaluate only objects that match the predicate."),
      .init("policy", value: "NAME", help: "The registered policy to use as '$entityPolicy'."),
      .init("limit", shortName: "n", value: "N", help: "Evaluate at most this many objects."),
      .init(flag: "sql", help: "Show the translation into SQL."),
      .init(flag: "tree", help: "Show the structure of the expression."),
    ],
    examples: [
      .init(
        "evaluate 'uppercase:(title)' --store Library.sqlite --entity Book --limit 5", "Shows the first five values."
      ),
      .init(
        "evaluate 'pages > 100 AND author.name LIKE \"F*\"' -s Library.sqlite -e Book --sql",
        "Shows the SQL that a fetch request would run."),
      .init("evaluate '1 + 2 * 3'", "Needs no store."),
      .init("evaluate '1 + 2 * a.b' --tree", "Shows which operator binds tighter."),
    ])

  package var expression: String
  package var store: String?
  package var entityName: String?
  package var models: [String]
  /// The predicate that objects must match; `nil` for all objects.
  package var predicate: String?
  /// The registered policy whose functions can be called; `nil` for none.
  package var policyName: String?
  /// The maximum number of objects; `nil` for all.
  package var limit: Int?
  package var showsSQL: Bool
  package var showsTree: Bool
  package var writesJSON: Bool

  /// Creates the command.
  package init(
    expression: String, store: String? = nil, entityName: String? = nil, models: [String] = [],
    predicate: String? = nil, policyName: String? = nil, limit: Int? = nil, showsSQL: Bool = false,
    showsTree: Bool = false,
    writesJSON: Bool = false
  ) {
    self.expression = expression
    self.store = store
    self.entityName = entityName
    self.models = models
    self.predicate = predicate
    self.policyName = policyName
    self.limit = limit
    self.showsSQL = showsSQL
    self.showsTree = showsTree
    self.writesJSON = writesJSON
  }

  package init(_ arguments: ParsedArguments) throws(UsageError) {
    self.init(
      expression: arguments[argument: "EXPRESSION"], store: arguments.value(ofOption: "store"),
      entityName: arguments.value(ofOption: "entity"), models: arguments.values(ofOption: "model"),
      predicate: arguments.value(ofOption: "where"), policyName: arguments.value(ofOption: "policy"),
      showsSQL: arguments.has("sql"), showsTree: arguments.has("tree"),
      writesJSON: arguments.has("json"))
    if let text = arguments.value(ofOption: "limit") {
      guard let number = Int(text), number >= 0 else {
        throw UsageError(
          "bad-limit", problem: "'--limit \(text.shown)' is not a valid number of objects",
          remedy: "write a number, such as '--limit 10'", commandName: "evaluate")
      }
      limit = number
    }
    let isAboutObjects = entityName != nil || predicate != nil || limit != nil || !models.isEmpty || showsSQL
    if store == nil, isAboutObjects, !(showsTree && !showsSQL) { throw Self.missing("store", "STORE") }
    if store != nil, entityName == nil, !(showsTree && !showsSQL) { throw Self.missing("entity", "NAME") }
  }

  private static func missing(_ option: String, _ value: String) -> UsageError {
    UsageError(
      "missing-option", problem: "'evaluate' needs the option '--\(option)'", remedy: "write '--\(option) \(value)'",
      commandName: "evaluate")
  }

  package func run(_ io: CommandIO) throws -> ExitCode {
    let subject = try EvaluationSubject(expression)
    if showsTree {
      let tree = subject.tree
      try io.write(writesJSON ? tree.json.indented : tree.text)
    }
    guard !showsTree || showsSQL else { return .success }
    guard let path = store, let entityName else {
      try writeValue(of: subject, io)
      return .success
    }
    let source = try StoreSource(path: path, candidates: ModelCandidates(models, io.directory), io)
    _ = try source.entityNames(chosen: [entityName])
    if showsSQL { return try writeTranslation(of: subject, in: source.store, entityName, io) }
    var request = FetchRequest(entityName: entityName)
    if let predicate {
      do {
        request.predicate = try MappingPredicate(parsing: predicate)
      } catch {
        throw ExpressionFailure(error)
      }
    }
    if limit == 0 { return .success }
    request.fetchLimit = limit ?? 0
    try writeValues(of: subject, for: request, in: source.store, io)
    return .success
  }

  /// Writes the value of an expression that needs no object.
  private func writeValue(of subject: EvaluationSubject, _ io: CommandIO) throws {
    guard !subject.needsObject else { throw Self.missing("store", "STORE") }
    let variables = try EvaluationVariables(
      code: io.code, policyName: policyName, model: ManagedObjectModel(entities: []))
    let environment = EvaluationEnvironment(variables: variables.names, functions: try variables.registry())
    var context = EvaluationContext(environment)
    variables.set(in: &context)
    let value = try ExpressionFailure.telling(expression) {
      try subject.compiled(in: environment)(&context)
    }
    try io.write(writesJSON ? "{\"value\":\(value.jsonText)}\n" : "\(value.isNull ? "nil" : value.jsonText)\n")
  }

  private func writeValues(
    of subject: EvaluationSubject, for request: FetchRequest, in store: PersistentStore, _ io: CommandIO
  ) throws {
    let shape = try store.shape(ofEntity: request.entityName)
    let variables = try EvaluationVariables(code: io.code, policyName: policyName, model: store.model)
    var environment = EvaluationEnvironment(
      variables: variables.names, shape: shape, functions: try variables.registry())
    let slot = environment.declare("source", shape: shape)
    var context = EvaluationContext(environment)
    variables.set(in: &context)
    let compiled = try ExpressionFailure.telling(expression) { try subject.compiled(in: environment) }
    try ExpressionFailure.telling(predicate ?? "") {
      try ManagedObjectContext(store: store).enumerate(request) { object in
        context.object = .object(object)
        context[slot] = .object(object)
        let value = try ExpressionFailure.telling(expression, object: "\(object)") { try compiled(&context) }
        try io.write(line(object, value))
      }
    }
  }

  private func line(_ object: ManagedObject, _ value: ExpressionValue) -> String {
    guard writesJSON else { return "\(object)  \(value.isNull ? "nil" : value.jsonText)\n" }
    let id = object.objectID
    return "{\"entity\":\(JSONText.quoted(id.entityName)),\"key\":\(id.key),\"value\":\(value.jsonText)}\n"
  }

  private func writeTranslation(
    of subject: EvaluationSubject, in store: PersistentStore, _ entityName: String, _ io: CommandIO
  ) throws -> ExitCode {
    do {
      let translation = try subject.translation(store.translator(forEntity: entityName, rowVariables: ["source"]))
      let report = TranslationReport(translation, isPredicate: subject.isPredicate, table: store.table(of: entityName))
      try io.write(writesJSON ? report.json.indented : report.text)
      return .success
    } catch let refusal as NotTranslated {
      if writesJSON {
        try io.write(
          JSONValue.object([
            ("translated", .bool(false)), ("reason", .string(refusal.reason)),
            ("column", .count(refusal.range.lowerBound + 1)),
          ]).indented)
      } else {
        let place = SourceExcerpt(expression, marking: refusal.range).description.indentedLines
        try io.write(lines: ["not translated: \(refusal.reason)", place].map(\.shownLines))
      }
      return .negative
    }
  }
}

extension PersistentStore {
  fileprivate func table(of entityName: String) -> String { layout.entity(named: entityName)?.tableName ?? "" }
}
