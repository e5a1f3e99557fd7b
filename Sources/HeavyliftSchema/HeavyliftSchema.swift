@_exported import Heavylift
