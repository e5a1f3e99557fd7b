@_exported public import HeavyliftVerification
