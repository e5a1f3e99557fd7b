package import HeavyliftModel

/// What the library's own laws are tried with, too.
package typealias SeededGenerator = HeavyliftModel.SeededGenerator
