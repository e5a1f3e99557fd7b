import Foundation

/// The record of the typed object that the current thread is creating.
enum EntityConstruction {
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    // The destructor is called for a record that is left when the thread ends.
    let status = pthread_key_create(&key) { EntityConstruction.release($0) }
    precondition(status == 0, "no thread-specific storage is available: \(status)")
    return key
  }()

  /// Returns the record for the wrapper that is being created.
  static func record() -> EntityRecord {
    if let pointer = pthread_getspecific(key) {
      return Unmanaged<EntityRecord>.fromOpaque(pointer).takeUnretainedValue()
    }
    let record = EntityRecord()
    set(record)
    return record
  }

  /// Returns the record of the object whose wrappers are complete.
  static func take() -> EntityRecord {
    guard let pointer = pthread_getspecific(key) else { return EntityRecord() }
    pthread_setspecific(key, nil)
    return Unmanaged<EntityRecord>.fromOpaque(pointer).takeRetainedValue()
  }

  /// Starts with a new record; wrappers that were created elsewhere do not belong to it.
  static func begin() {
    release(pthread_getspecific(key))
    set(EntityRecord())
  }

  /// Creates an object with the given record, even in the middle of the creation of another object.
  static func creating<Object>(with record: EntityRecord, _ body: () -> Object) -> Object {
    let outer = pthread_getspecific(key)
    set(record)
    let object = body()
    release(pthread_getspecific(key))
    pthread_setspecific(key, outer)
    return object
  }

  private static func release(_ pointer: UnsafeMutableRawPointer?) {
    if let pointer { Unmanaged<EntityRecord>.fromOpaque(pointer).release() }
  }

  private static func set(_ record: EntityRecord) {
    pthread_setspecific(key, Unmanaged.passRetained(record).toOpaque())
  }
}
