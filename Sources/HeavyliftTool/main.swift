print("heavylift")
