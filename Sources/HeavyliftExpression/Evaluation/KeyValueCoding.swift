/// Looks up the values of keys, like Foundation's key-value coding.
struct KeyValueCoding: Sendable {
  /// The registered functions; those without arguments serve as keys of strings, numbers, dates and the like.
  let functions: FunctionRegistry

  /// Returns the value of one key.
  ///
  /// Every key of nil is nil; a key of a collection yields the values of its elements. An array keeps nil values, so
  /// that indexes stay the same; a set or an ordered set drops them.
  func value(of value: ExpressionValue, forKey key: String) throws -> ExpressionValue {
    switch value {
    case .null: return .null
    case .object(let object): return try KeyValueCoding.value(of: object, forKey: key)
    case .dictionary(let values): return values[key] ?? .null
    case .array(let elements): return .array(try elements.map { try self.value(of: $0, forKey: key) })
    case .set(let values): return .set(try distinct(values, forKey: key))
    case .orderedSet(let values): return .orderedSet(try distinct(values, forKey: key))
    default:
      for function in functions.candidates(key) where function.accepts(value) { return try function.call(value, []) }
      let known = functions.selectors(of: value).filter { !$0.contains(":") }
      throw EvaluationMistake.unknownKey(key, kind: value.kind, known: known)
    }
  }

  /// Returns the value at a parsed path.
  func value(of value: ExpressionValue, at keys: ArraySlice<ExpressionKeyPath.Key>) throws -> ExpressionValue {
    var current = value
    var rest = keys
    while let key = rest.popFirst() {
      switch key {
      case .element: continue
      case .name(let name): current = try self.value(of: current, forKey: name)
      case .collection(let collectionOperator):
        return try aggregate(current, collectionOperator, over: rest)
      }
    }
    return current
  }

  /// Returns the value of an object's key. An `EvaluationMistake` that the object throws is rethrown as is; any other
  /// error is wrapped with the key.
  static func value(of object: any ExpressionObject, forKey key: String) throws -> ExpressionValue {
    do {
      return try object.value(forKey: key)
    } catch let mistake as EvaluationMistake {
      throw mistake
    } catch {
      throw FailedKey(key: key, underlying: error)
    }
  }

  private func aggregate(
    _ value: ExpressionValue, _ collectionOperator: CollectionOperator, over keys: ArraySlice<ExpressionKeyPath.Key>
  ) throws -> ExpressionValue {
    if value.isNull { return .null }
    let implementation = collectionOperator.implementation
    let elements: [ExpressionValue]
    if case .dictionary(let values) = value {
      // Sorted, so that the order is the same on every run.
      elements = values.sorted { $0.key < $1.key }.map(\.value)
    } else if let collected = value.elements {
      elements = collected
    } else {
      throw EvaluationMistake.wrongOperand(of: implementation.name, expected: "a collection", found: value.kind)
    }
    if collectionOperator.takesNoKey { return try implementation.call(elements) }
    return try implementation.call(elements.map { try self.value(of: $0, at: keys) })
  }

  private func distinct(_ values: DistinctValues, forKey key: String) throws -> DistinctValues {
    DistinctValues(try values.elements.map { try value(of: $0, forKey: key) }.filter { !$0.isNull })
  }
}

/// The error that an object threw for a key.
struct FailedKey: Error {
  var key: String
  var underlying: any Error
}
