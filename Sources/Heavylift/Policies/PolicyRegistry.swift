import HeavyliftModel

/// The migration policies that a program has, found by the class names that stand in mapping files.
///
/// ```swift
/// let policies = try PolicyRegistry(BookToBookPolicy.self, UserToUserPolicy.self)
/// ```
///
/// A file names a class with its module (`Library.BookToBookPolicy`, as Swift classes are named in Xcode) or without.
/// Without a runtime that finds classes by name, what is not registered does not exist.
public struct PolicyRegistry {
  private struct Entry {
    var name: String
    var module: String?
    var type: EntityMigrationPolicy.Type
  }

  private var entries: [Entry] = []

  /// Creates a registry of policies, under the names of their classes.
  public init(_ policies: EntityMigrationPolicy.Type...) {
    for policy in policies { register(policy) }
  }

  /// Adds a policy under its class name, or under another one that files use for it; it replaces one of the same name.
  ///
  /// - Parameters:
  ///   - policy: The class.
  ///   - name: With or without a module in front: a class that was renamed since the file was written keeps its old name
  ///     here.
  public mutating func register(_ policy: EntityMigrationPolicy.Type, as name: String? = nil) {
    let own = Self.split(String(reflecting: policy))
    let entry =
      name.map { given in
        let (name, module) = Self.split(given)
        return Entry(name: name, module: module, type: policy)
      } ?? Entry(name: String(describing: policy), module: own.module, type: policy)
    entries.removeAll { $0.name == entry.name && $0.module == entry.module }
    entries.append(entry)
  }

  /// The names without modules, in order.
  public var names: [String] { Set(entries.map(\.name)).sorted() }

  /// The policy of that class name.
  ///
  /// - Throws: `Diagnostic` if there is none, or if classes of several modules have the name and none is named.
  public func policy(named name: String) throws -> EntityMigrationPolicy.Type {
    let (last, module) = Self.split(name)
    let candidates = entries.filter { $0.name == last || $0.name == name }
    if let exact = candidates.first(where: { $0.module == module || $0.name == name }), module != nil {
      return exact.type
    }
    if candidates.count > 1 {
      let full = candidates.map { [$0.module, $0.name].compactMap(\.self).joined(separator: ".") }.sorted()
      throw Diagnostic(
        .error, code: "migration.ambiguous-policy",
        problem: "policy '\(name)' can be \(full.map { "'\($0)'" }.joined(separator: " or "))",
        remedy: "write the module in front of the name")
    }
    guard let found = candidates.first else {
      throw Diagnostic(
        .error, code: "migration.unknown-policy", problem: "there is no policy '\(name)'",
        remedy: names.isEmpty
          ? "register the class with the PolicyRegistry"
          : names.suggestion(for: last, kind: "registered policy") + "; register the class with the PolicyRegistry")
    }
    return found.type
  }

  /// The selectors that expressions may call of a policy; nil if there is no such policy.
  public func selectors(ofPolicyNamed name: String) -> Set<String>? {
    guard let type = try? policy(named: name) else { return nil }
    return Set(type.init().knownFunctions.keys)
  }

  /// What expressions may call of each policy, by its name without and with its module; for checks of mappings.
  public var selectors: [String: Set<String>] {
    var selectors: [String: Set<String>] = [:]
    for entry in entries {
      let own = Set(entry.type.init().knownFunctions.keys)
      selectors[entry.name] = own
      if let module = entry.module { selectors["\(module).\(entry.name)"] = own }
    }
    return selectors
  }

  /// `Module.Outer.Policy` is the policy `Policy` of `Module.Outer`.
  private static func split(_ name: String) -> (name: String, module: String?) {
    guard let dot = name.lastIndex(of: ".") else { return (name, nil) }
    return (String(name[name.index(after: dot)...]), String(name[..<dot]))
  }
}
