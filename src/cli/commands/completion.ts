import { Argument, Command } from 'commander';
import { writeBashCompletion } from '../completion/bash.ts';
import { writeFishCompletion } from '../completion/fish.ts';
import { describeGrammar } from '../completion/grammar.ts';
import { writeZshCompletion } from '../completion/zsh.ts';
import { EXIT } from '../exit-codes.ts';
import type { RunAction } from '../session.ts';

const SHELLS = { bash: writeBashCompletion, zsh: writeZshCompletion, fish: writeFishCompletion };

const EXAMPLES = `
Examples:
  locus completion bash         print the script
  source <(locus completion bash)                                   in ~/.bashrc
  source <(locus completion zsh)                                    in ~/.zshrc, after compinit
  locus completion fish > ~/.config/fish/completions/locus.fish     once, and after an update`;

export function completionCommand(run: RunAction): Command {
  return new Command('completion')
    .addArgument(
      new Argument('<shell>', 'shell to print the script for').choices(Object.keys(SHELLS)),
    )
    .addHelpText('after', EXAMPLES)
    .action((shell: keyof typeof SHELLS, _options: object, command: Command) =>
      run(async (session) => {
        const grammar = describeGrammar(command.parent ?? command);
        session.print(SHELLS[shell](grammar).trimEnd());
        return EXIT.ok;
      }),
    );
}
