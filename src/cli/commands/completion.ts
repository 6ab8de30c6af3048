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
  locus completion bash         as every script, to standard output
  source <(locus completion bash)                                   in ~/.bashrc
  source <(locus completion zsh)                                    in ~/.zshrc, after compinit
  locus completion fish > ~/.config/fish/completions/locus.fish     once, and after an update`;

export function completionCommand(run: Run): Command {
  return new Command('completion')
    .description('Print a script with which a shell completes commands, options and their values.')
    .addArgument(new Argument('<shell>', 'which shell').choices(Object.keys(SHELLS)))
    .addHelpText('after', EXAMPLES)
    .action((shell: keyof typeof SHELLS, _options: object, command: Command) =>
      run(async (session) => {
        const grammar = grammarOf(command.parent ?? command);
        session.print(SHELLS[shell](grammar).trimEnd());
        return EXIT.ok;
      }),
    );
}
