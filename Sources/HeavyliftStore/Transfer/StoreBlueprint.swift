import HeavyliftModel

/// The runtime and the layout of a store, which need not exist yet.
package struct StoreBlueprint {
  let runtime: StoreRuntime
  package let layout: PhysicalLayout
  /// The schema that contains the store's tables in a migration's statements: its file, or temporary views. It has this
  /// name on the store's own connection, and on one to which the store is attached.
  private(set) var schemaName = SourceAttachment.name
  /// True if the store is never written, and views replace its tables.
  let isViewed: Bool
  /// The folder of its large values; nil for a store that does not exist yet.
  private(set) var externalData: ExternalDataFolder?

  /// Creates the blueprint of a new store.
  package init(
    model: ManagedObjectModel, configuration: String?, joinTableChoices: JoinTableChoices = JoinTableChoices()
  ) {
    let held = model.restricted(to: configuration)
    isViewed = false
    layout = PhysicalLayout(model: held, choices: joinTableChoices)
    runtime = StoreRuntime(model: held, layout: layout)
  }

  /// Creates the blueprint of an existing store.
  package init(of store: PersistentStore) {
    layout = store.layout
    runtime = store.runtime
    externalData = store.externalData
    isViewed = store.isViewed
    if isViewed { schemaName = "temp" }
  }

  /// Creates the blueprint of a store that statements will read, and gives its schema the name that they use, if it is a
  /// file.
  package init(ofSource store: PersistentStore) {
    self.init(of: store)
    if !isViewed { store.database.nameMain(SourceAttachment.lastingName) }
  }

  /// Returns an expression for the key in a column. Reading a row converts any stored value to an integer; columns of
  /// views contain only integers.
  func key(in column: String) -> String { isViewed ? column : "CAST(\(column) AS INTEGER)" }
}

extension EntityLayout {
  /// Returns the column of a to-one relationship, including one that a to-many relationship without an inverse implies.
  package func toOne(named name: String) -> ToOneColumn? {
    toOnes.first { $0.name == name } ?? ownerColumns.first { $0.name == name }
  }

  /// Returns the table and the columns of a to-many relationship's links.
  package func toMany(named name: String) -> ToManyStorage? { toManys.first { $0.name == name } }
}
