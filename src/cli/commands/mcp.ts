import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import { EXIT } from '../exit-codes.ts';
import {
  collect,
  type RepositoryCliOptions,
  toOpenOptions,
  withDaemonOption,
  withEngineOptions,
} from '../options.ts';
import type { RunAction } from '../session.ts';

const EXAMPLES = `
The server speaks the Model Context Protocol on standard input and output, and connects to nothing. Without --repo it uses the
folders that the client has open or, if the client names none, the git repository of the working directory.

Examples:
  locus mcp --repo ~/src/django --repo ~/src/flask
  locus setup                                  connects your agents to this server
  locus mcp --skill > ~/.claude/skills/locus/SKILL.md`;

const SKILL = new URL('../../mcp/skill/locus/SKILL.md', import.meta.url);

interface McpOptions extends Omit<RepositoryCliOptions, 'at'> {
  repo?: string[];
  skill?: boolean;
}

export function mcpCommand(run: RunAction): Command {
  return withDaemonOption(withEngineOptions(new Command('mcp')))
    .option('--repo <folder>', 'allow this folder only; can be repeated', collect)
    .option('--skill', 'print the skill that tells an agent when to use Locus, and exit')
    .addHelpText('after', EXAMPLES)
    .action((options: McpOptions) =>
      run(async (session) => {
        if (options.skill) {
          session.print((await readFile(SKILL, 'utf8')).trimEnd());
          return EXIT.ok;
        }
        const { serveOnStdio } = await import('../../mcp/stdio.ts');
        await serveOnStdio({
          ...toOpenOptions(options, session.host),
          answersCommands: options.daemon,
          repositories: options.repo ?? [],
          stdin: process.stdin,
          stdout: process.stdout,
          signal: session.host.signal,
          onError: (message) => session.note(`locus: ${message}`),
        });
        return EXIT.ok;
      }),
    );
}
