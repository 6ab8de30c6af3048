import { Command } from 'commander';
import { inSentences, toWire } from '../../shared/errors.ts';
import type { FollowingHealth, WatchUpdate } from '../../shared/indexing.ts';
import { named } from '../../shared/quoted.ts';
import { EXIT } from '../exit-codes.ts';
import { openOptions, type RepositoryOptions, withRepositoryOptions } from '../options.ts';
import type { Run } from '../session.ts';
import { counted, duration } from '../terminal.ts';

const EXAMPLES = `
Examples:
  locus watch .                 Ctrl-C ends it; searches by other commands see each save
  locus watch . --json          one JSON object a line for each batch of changes`;

export function watchCommand(run: Run): Command {
  return withRepositoryOptions(new Command('watch'))
    .description('Keep the index up to date as files change, until interrupted.')
    .argument('<dir>', 'a folder or a git working tree')
    .addHelpText('after', EXAMPLES)
    .action((dir: string, options: RepositoryOptions) =>
      run((session) =>
        session.withRepository(dir, openOptions(options, session.host), async (repository) => {
          await session.watch(repository, {
            onIndexed: ({ files, chunks }) =>
              session.note(
                `watching ${counted(files, 'file')}, ${counted(chunks, 'function')}; Ctrl-C ends`,
              ),
            onUpdate: (update) => {
              // A commit, say, changes no file.
              if (update.changed.length + update.removed.length === 0) return;
              if (session.json) session.printJsonLine(update);
              else session.print(describe(update));
            },
            onHealth: (health) => {
              if (session.json) session.printJsonLine({ health: inJson(health) });
              session.note(inWords(health));
            },
          });
          return EXIT.ok;
        }),
      ),
    );
}

function inWords({ failure, warning }: FollowingHealth): string {
  const error = failure ?? warning;
  return `locus: ${error ? inSentences(toWire(error)) : 'all changes are followed again'}`;
}

function inJson({ failure, warning }: FollowingHealth) {
  return {
    failure: failure && toWire(failure),
    warning: warning && toWire(warning),
  };
}

function describe({ changed, removed, chunksEncoded, searchableMs, totalMs }: WatchUpdate): string {
  const files = [...changed.map(named), ...removed.map((path) => `${named(path)} (removed)`)];
  const first = files.slice(0, 3).join(', ');
  const more = files.length > 3 ? ` and ${counted(files.length - 3, 'other file')}` : '';
  return `${first}${more}: searchable after ${duration(searchableMs / 1000)}, complete after ${duration(totalMs / 1000)}, ${counted(chunksEncoded, 'function')} encoded`;
}
