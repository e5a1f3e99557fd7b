/// A script that completes the commands and options of a tool in a shell.
struct CompletionScript {
  enum Shell: String, CaseIterable {
    case bash, zsh, fish
  }

  let text: String

  init(_ tool: CommandLineTool, for shell: Shell) {
    let commands = tool.commands.map { $0.description }
    text =
      switch shell {
      case .bash: Self.bash(tool.name, commands)
      case .zsh: Self.zsh(tool.name, commands)
      case .fish: Self.fish(tool.name, commands)
      }
  }

  /// The first words of the commands, each with the commands that begin with it.
  private static func words(_ commands: [CommandDescription]) -> [(word: String, commands: [CommandDescription])] {
    var words: [(word: String, commands: [CommandDescription])] = []
    for command in commands {
      let word = command.name.firstWord
      if let place = words.firstIndex(where: { $0.word == word }) {
        words[place].commands.append(command)
      } else {
        words.append((word, [command]))
      }
    }
    return words
  }

  private static func summary(_ word: (word: String, commands: [CommandDescription])) -> String {
    word.commands.count == 1
      ? word.commands[0].abstract : word.commands.map { $0.name.dropFirst(word.word.count + 1) }.joined(separator: ", ")
  }

  // MARK: bash

  private static func bash(_ tool: String, _ commands: [CommandDescription]) -> String {
    let words = words(commands)
    let groups = words.filter { $0.commands.count > 1 }
    let function = "_\(tool.replacing("-", with: "_"))"
    let cases = commands.map { command in
      "    '\(command.name)') options='\(command.options.map { "--\($0.name)" }.joined(separator: " "))' ;;\n"
    }.joined()
    let seconds = groups.map { group in
      "    \(group.word)) words='\(group.commands.map { $0.name.secondWord }.joined(separator: " "))' ;;\n"
    }.joined()
    return """
      # Completes \(tool) in bash.
      \(function)() {
        local current=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} words='' options=''
        COMPREPLY=()
        if ((COMP_CWORD == 1)); then
          COMPREPLY=($(compgen -W '\(words.map(\.word).joined(separator: " ")) help --help --version' -- "$current"))
          return
        fi
        case $command in
          help) words='\(words.map(\.word).joined(separator: " "))' ;;
      \(seconds)  esac
        if [[ -n $words ]]; then
          if ((COMP_CWORD == 2)); then
            COMPREPLY=($(compgen -W "$words" -- "$current"))
            return
          fi
          command="$command ${COMP_WORDS[2]}"
        fi
        case $command in
      \(cases)  esac
        if [[ $current == -* ]]; then
          COMPREPLY=($(compgen -W "$options" -- "$current"))
        fi
      }
      complete -o default -o filenames -F \(function) \(tool)

      """
  }

  // MARK: zsh

  private static func zsh(_ tool: String, _ commands: [CommandDescription]) -> String {
    let words = words(commands)
    func quoted(_ text: String) -> String { "'\(text.replacing("'", with: "'\\''"))'" }
    func list(_ pairs: [(String, String)]) -> String {
      pairs.map { "    \(quoted("\($0.0):\($0.1)"))\n" }.joined()
    }
    func described(_ text: String) -> String {
      text.replacing("[", with: "\\[").replacing("]", with: "\\]").replacing(":", with: "\\:")
    }
    let seconds = words.filter { $0.commands.count > 1 }.map { group in
      "    \(group.word))\n    commands=(\n"
        + list(group.commands.map { ($0.name.secondWord, $0.abstract) })
        + "    )\n    if ((CURRENT == 3)); then _describe command commands; return; fi\n"
        + "    command=\"$command $words[3]\" skipped=3 ;;\n"
    }.joined()
    let cases = commands.map { command in
      let options = command.options.flatMap { option -> [String] in
        let value = option.valueName.map { ":\($0):_files" } ?? ""
        let start = option.isRepeatable ? "*" : ""
        return (["--\(option.name)"] + (option.shortName.map { ["-\($0)"] } ?? [])).map {
          "      \(quoted("\(start)\($0)[\(described(option.help))]\(value)"))"
        }
      }
      return "    '\(command.name)') specs=(\n\(options.joined(separator: "\n"))\n    ) ;;\n"
    }.joined()
    return """
      #compdef \(tool)
      # Completes \(tool) in zsh.
      _\(tool)() {
        local -a commands specs
        local command=$words[2] skipped=2
        if ((CURRENT == 2)); then
          commands=(
      \(list(words.map { ($0.word, summary($0)) }))    )
          _describe command commands
          return
        fi
        case $command in
      \(seconds)  esac
        case $command in
      \(cases)  esac
        words=("$words[1]" "${(@)words[skipped+1,-1]}")
        ((CURRENT -= skipped - 1))
        _arguments -s -S $specs '*:file:_files'
      }
      compdef _\(tool) \(tool)

      """
  }

  // MARK: fish

  private static func fish(_ tool: String, _ commands: [CommandDescription]) -> String {
    let words = words(commands)
    func quoted(_ text: String) -> String { "'\(text.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'" }
    var lines = ["# Completes \(tool) in fish."]
    for word in words {
      lines.append("complete -c \(tool) -f -n __fish_use_subcommand -a \(word.word) -d \(quoted(summary(word)))")
      guard word.commands.count > 1 else { continue }
      let names = word.commands.map { $0.name.secondWord }
      for command in word.commands {
        lines.append(
          "complete -c \(tool) -f -n '__fish_seen_subcommand_from \(word.word); and not __fish_seen_subcommand_from "
            + "\(names.joined(separator: " "))' -a \(command.name.secondWord) -d \(quoted(command.abstract))")
      }
    }
    for command in commands {
      let condition = command.name.split(separator: " ").map { "__fish_seen_subcommand_from \($0)" }
        .joined(separator: "; and ")
      for option in command.options {
        lines.append(
          "complete -c \(tool) -n '\(condition)' -l \(option.name)"
            + (option.shortName.map { " -s \($0)" } ?? "") + (option.valueName == nil ? "" : " -r")
            + " -d \(quoted(option.help))")
      }
    }
    return lines.map { "\($0)\n" }.joined()
  }
}

extension String {
  fileprivate var firstWord: String { split(separator: " ").first.map(String.init) ?? self }
  fileprivate var secondWord: String { split(separator: " ").dropFirst().joined(separator: " ") }
}
