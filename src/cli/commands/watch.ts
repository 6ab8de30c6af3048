import { Command } from 'commander';
import { defer } from '../../base/defer.ts';
import { formatFailure, toFailure } from '../../shared/errors.ts';
import { formatCounted } from '../../shared/format-count.ts';
import type { FollowingHealth, WatchUpdate } from '../../shared/indexing.ts';
import { quoteName } from '../../shared/quote.ts';
import { EXIT } from '../exit-codes.ts';
import {
  type RepositoryCliOptions,
  toOpenOptions,
  withDaemonOption,
  withRepositoryOptions,
} from '../options.ts';
import type { RunAction } from '../session.ts';
import { formatDuration } from '../terminal.ts';

const EXAMPLES = `
Examples:
  locus watch .                 Ctrl-C stops; other commands see each saved change
  locus watch . --json          prints one JSON object a line for each batch of changes`;

export function watchCommand(run: RunAction): Command {
  return withDaemonOption(withRepositoryOptions(new Command('watch')))
    .argument('<dir>', 'folder or git working tree')
    .addHelpText('after', EXAMPLES)
    .action((dir: string, options: RepositoryCliOptions) =>
      run((session) => {
        const open = toOpenOptions(options, session.host);
        return session.withRepository(dir, open, async (repository) => {
          let published: { close(): void } | undefined;
          using _stop = defer(() => published?.close());
          await session.watch(repository, {
            onIndexed: ({ files, chunks }) => {
              session.note(
                `Watching ${formatCounted(files, 'file')}, ${formatCounted(chunks, 'function')}. Press Ctrl-C to stop.`,
              );
              if (!options.daemon) return;
              published = session.host.publish?.(dir, open, repository);
            },
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
        });
      }),
    );
}

function describeHealth({ failure, warning }: FollowingHealth): string {
  const error = failure ?? warning;
  return `locus: ${error ? formatFailure(toFailure(error)) : 'All changes are followed again.'}`;
}

function healthToJson({ failure, warning }: FollowingHealth) {
  return {
    failure: failure && toFailure(failure),
    warning: warning && toFailure(warning),
  };
}

function describe({ changed, removed, chunksEncoded, searchableMs, totalMs }: WatchUpdate): string {
  const files = [
    ...changed.map(quoteName),
    ...removed.map((path) => `${quoteName(path)} (removed)`),
  ];
  const first = files.slice(0, 3).join(', ');
  const more = files.length > 3 ? ` and ${formatCounted(files.length - 3, 'other file')}` : '';
  return `${first}${more}: searchable after ${formatDuration(searchableMs / 1000)}, complete after ${formatDuration(totalMs / 1000)}, ${formatCounted(chunksEncoded, 'function')} encoded`;
}
