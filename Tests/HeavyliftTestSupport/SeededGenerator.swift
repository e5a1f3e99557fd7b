package import HeavyliftModel

/// The generator that the library uses in its own law checks, too.
package typealias SeededGenerator = HeavyliftModel.SeededGenerator
