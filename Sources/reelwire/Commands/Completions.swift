import ArgumentParser

/// Prints the completions of this program's command lines, for a shell.
struct Completions: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print a completion script for a shell.",
    discussion: """
      bash: reelwire completions bash > ~/.local/share/bash-completion/completions/reelwire
      zsh:  reelwire completions zsh > a folder of $fpath, under the name _reelwire
      fish: reelwire completions fish > ~/.config/fish/completions/reelwire.fish
      """)

  enum Shell: String, CaseIterable, ExpressibleByArgument {
    case bash, zsh, fish
  }

  @Argument(help: "The shell.")
  var shell: Shell

  func run() async throws {
    let console = try Console(OutputOptions.parse([]))
    let script =
      switch shell {
      case .bash: Reelwire.completionScript(for: .bash)
      case .zsh: Reelwire.completionScript(for: .zsh)
      case .fish: Reelwire.completionScript(for: .fish)
      }
    do { try console.print(script) } catch { throw console.exitCode(of: error) }
  }
}
