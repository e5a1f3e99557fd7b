import HeavyliftConcurrency

/// An object model: the entities of a store, in one version.
///
/// ```swift
/// let model = ManagedObjectModel(entities: [
///   EntityDescription(name: "Book", attributes: [AttributeDescription(name: "title", type: .string)])
/// ])
/// print(model.versionHashes["Book"])
/// ```
///
/// A model is a value. Two models are equal if they state the same facts, no matter which files they came from or in
/// what order the facts were written.
public struct ManagedObjectModel: Sendable {
  private struct Contents: Sendable {
    var name: String? {
      didSet { longName = nil }
    }
    var longName: String?
    var varyingDefaults: [String: Set<String>] = [:]
    var inhabitedComposites: Set<String> = []
    var versionIdentifiers: Set<String>
    var versionID: String?
    var entities: [EntityDescription] {
      didSet {
        entities.sortByName(\.name)
        facts = ModelFacts()
      }
    }
    var composites: [CompositeDescription] {
      didSet {
        composites.sortByName(\.name)
        facts = ModelFacts()
      }
    }
    var configurations: [ConfigurationDescription] {
      didSet {
        configurations.sortByName(\.name)
        facts = ModelFacts()
      }
    }
    var fetchRequestTemplates: [FetchRequestDescription] {
      didSet {
        fetchRequestTemplates.sortByName(\.name)
        facts = ModelFacts()
      }
    }
    var statedVersionHashes: [String: VersionHash] {
      didSet { facts = ModelFacts() }
    }
    var markup: Markup {
      didSet { facts = ModelFacts() }
    }
    var facts = ModelFacts()
  }
  @CopyOnWrite private var contents: Contents

  /// The name of the file that the model was read from: `Library 2` for `Library 2.xcdatamodel`. Not compared by
  /// `==`.
  public var name: String? {
    get { contents.name }
    _modify { yield &contents.name }
  }
  /// The name in messages, if it says more than `name`: `MusicV2 (2.0.0)`. Not compared by `==`.
  package var longName: String? {
    get { contents.longName }
    _modify { yield &contents.longName }
  }
  /// The names of the attributes whose default value differs in each process, such as a new UUID, by entity. Not compared
  /// by `==`.
  package var varyingDefaults: [String: Set<String>] {
    get { contents.varyingDefaults }
    _modify { yield &contents.varyingDefaults }
  }
  /// The names of the composite types whose values have at least one element that is not nil, because they are those of a
  /// Swift type. Not compared by `==`.
  package var inhabitedComposites: Set<String> {
    get { contents.inhabitedComposites }
    _modify { yield &contents.inhabitedComposites }
  }
  /// Identifiers that developers give to versions; Core Data does not interpret them.
  public var versionIdentifiers: Set<String> {
    get { contents.versionIdentifiers }
    _modify { yield &contents.versionIdentifiers }
  }
  /// An identifier that distinguishes the version from another one with the same version hashes; `nil` if its hashes are
  /// enough.
  ///
  /// Model files have no place for it. A store keeps it in its metadata under a key of Heavylift's own, which Core Data
  /// ignores and keeps. A store without the key has the oldest of the versions with its hashes.
  ///
  /// ```swift
  /// music2.versionID = "2"  // has another default value than version 1, which no hash covers
  /// ```
  public var versionID: String? {
    get { contents.versionID }
    _modify { yield &contents.versionID }
  }
  /// The entities, sorted by name.
  public var entities: [EntityDescription] {
    get { contents.entities }
    _modify { yield &contents.entities }
  }
  /// The composite types, sorted by name.
  public var composites: [CompositeDescription] {
    get { contents.composites }
    _modify { yield &contents.composites }
  }
  /// The named groups of entities, without the default one of all entities.
  public var configurations: [ConfigurationDescription] {
    get { contents.configurations }
    _modify { yield &contents.configurations }
  }
  /// The fetch requests that the model offers by name.
  public var fetchRequestTemplates: [FetchRequestDescription] {
    get { contents.fetchRequestTemplates }
    _modify { yield &contents.fetchRequestTemplates }
  }
  /// Version hashes that a compiled file states, by entity. They take precedence over computed ones.
  public var statedVersionHashes: [String: VersionHash] {
    get { contents.statedVersionHashes }
    _modify { yield &contents.statedVersionHashes }
  }
  /// The spelling in the file. Not compared by `==`.
  public var markup: Markup {
    get { contents.markup }
    _modify { yield &contents.markup }
  }
  var facts: ModelFacts { contents.facts }

  /// Creates a model.
  public init(
    name: String? = nil, versionIdentifiers: Set<String> = [], entities: [EntityDescription] = [],
    composites: [CompositeDescription] = [], configurations: [ConfigurationDescription] = [],
    fetchRequestTemplates: [FetchRequestDescription] = [], statedVersionHashes: [String: VersionHash] = [:],
    markup: Markup = Markup()
  ) {
    var contents = Contents(
      name: name, versionIdentifiers: versionIdentifiers, entities: entities, composites: composites,
      configurations: configurations, fetchRequestTemplates: fetchRequestTemplates,
      statedVersionHashes: statedVersionHashes, markup: markup)
    contents.entities.sortByName(\.name)
    contents.composites.sortByName(\.name)
    contents.configurations.sortByName(\.name)
    contents.fetchRequestTemplates.sortByName(\.name)
    self.contents = contents
  }
}

extension ManagedObjectModel {
  /// The name of the version in messages.
  package var title: String { statedTitle ?? "unnamed" }

  /// The name of the version in messages; `nil` if it has none.
  package var statedTitle: String? { longName ?? name }
}

extension ManagedObjectModel {
  /// The model without the default values that differ in each process.
  package var withoutVaryingDefaults: ManagedObjectModel {
    guard !varyingDefaults.isEmpty else { return self }
    var model = self
    for entity in model.entities.indices {
      let names = varyingDefaults[model.entities[entity].name] ?? []
      for attribute in model.entities[entity].attributes.indices
      where names.contains(model.entities[entity].attributes[attribute].name) {
        model.entities[entity].attributes[attribute].defaultValue = .null
      }
    }
    model.varyingDefaults = [:]
    return model
  }
}

extension ManagedObjectModel: Hashable {
  /// Compares the contents of the models, but not their names or origins.
  public static func == (lhs: ManagedObjectModel, rhs: ManagedObjectModel) -> Bool {
    lhs.versionIdentifiers == rhs.versionIdentifiers && lhs.versionID == rhs.versionID && lhs.entities == rhs.entities
      && lhs.composites == rhs.composites && lhs.configurations == rhs.configurations
      && lhs.fetchRequestTemplates == rhs.fetchRequestTemplates
  }

  /// Hashes the parts that `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(versionIdentifiers)
    hasher.combine(versionID)
    hasher.combine(entities)
    hasher.combine(composites)
    hasher.combine(configurations)
    hasher.combine(fetchRequestTemplates)
  }
}
