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
  locus watch .                 Ctrl-C stops; other commands see each saved change
  locus watch . --json          prints one JSON object a line for each batch of changes`;

export function watchCommand(run: Run): Command {
  return withRepositoryOptions(new Command('watch'))
    .description('Update the index whenever files change, until interrupted.')
    .argument('<dir>', 'folder or git working tree')
    .addHelpText('after', EXAMPLES)
    .action((dir: string, options: RepositoryOptions) =>
      run((session) =>
        session.withRepository(dir, openOptions(options, session.host), async (repository) => {
          await session.watch(repository, {
            onIndexed: ({ files, chunks }) =>
              session.note(
                `Watching ${counted(files, 'file')}, ${counted(chunks, 'function')}. Press Ctrl-C to stop.`,
              ),
            onUpdate: (update) => {
              // Some updates, such as a commit, change no file.
              if (update.changed.length + update.removed.length === 0) return;
              if (session.json) session.printJsonLine(update);
              else session.print(describe(update));
            },
            onHealth: (health) => {
              if (session.json) session.printJsonLine({ health: healthToJson(health) });
              session.note(describeHealth(health));
            },
          });
          return EXIT.ok;
        }),
      ),
    );
}

function describeHealth({ failure, warning }: FollowingHealth): string {
  const error = failure ?? warning;
  return `locus: ${error ? inSentences(toWire(error)) : 'All changes are followed again.'}`;
}

function healthToJson({ failure, warning }: FollowingHealth) {
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
