import HeavyliftModel

/// The runtime and the layout of a store, which need not exist yet.
package struct StoreBlueprint {
  let runtime: StoreRuntime
  package let layout: PhysicalLayout
  /// The folder of its large values; nil for a store that does not exist yet.
  private(set) var externalData: ExternalDataFolder?

  /// Creates the blueprint of a new store.
  package init(
    model: ManagedObjectModel, configuration: String?, joinTableChoices: JoinTableChoices = JoinTableChoices()
  ) {
    let held = model.restricted(to: configuration)
    layout = PhysicalLayout(model: held, choices: joinTableChoices)
    runtime = StoreRuntime(model: held, layout: layout)
  }

  /// Creates the blueprint of an existing store.
  package init(of store: PersistentStore) {
    layout = store.layout
    runtime = store.runtime
    externalData = store.externalData
  }

  /// Creates the blueprint of a store that statements will read, and gives its schema the name that they use, on its own
  /// connection as on one to which it is attached.
  package init(ofSource store: PersistentStore) {
    self.init(of: store)
    store.database.nameMain(SourceAttachment.lastingName)
  }
}

extension EntityLayout {
  /// Returns the column of a to-one relationship, including one that a to-many relationship without an inverse implies.
  package func toOne(named name: String) -> ToOneColumn? {
    toOnes.first { $0.name == name } ?? ownerColumns.first { $0.name == name }
  }

  /// Returns the table and the columns of a to-many relationship's links.
  package func toMany(named name: String) -> ToManyStorage? { toManys.first { $0.name == name } }
}
