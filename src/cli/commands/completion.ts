import { Argument, Command } from 'commander';
import { bashCompletion } from '../completion/bash.ts';
import { fishCompletion } from '../completion/fish.ts';
import { grammarOf } from '../completion/grammar.ts';
import { zshCompletion } from '../completion/zsh.ts';
import { EXIT } from '../exit-codes.ts';
import type { Run } from '../session.ts';

const SHELLS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

const EXAMPLES = `
Examples:
  locus completion bash         print the script
  source <(locus completion bash)                                   in ~/.bashrc
  source <(locus completion zsh)                                    in ~/.zshrc, after compinit
  locus completion fish > ~/.config/fish/completions/locus.fish     once, and after an update`;

export function completionCommand(run: Run): Command {
  return new Command('completion')
    .description('Print a script that completes commands, options and values in a shell.')
    .addArgument(
      new Argument('<shell>', 'shell to print the script for').choices(Object.keys(SHELLS)),
    )
    .addHelpText('after', EXAMPLES)
    .action((shell: keyof typeof SHELLS, _options: object, command: Command) =>
      run(async (session) => {
        const grammar = grammarOf(command.parent ?? command);
        session.print(SHELLS[shell](grammar).trimEnd());
        return EXIT.ok;
      }),
    );
}
