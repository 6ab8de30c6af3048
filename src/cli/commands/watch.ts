import { Command } from 'commander';
import type { WatchUpdate } from '../../shared/indexing.ts';
import { visible } from '../../shared/visible.ts';
import { EXIT } from '../exit-codes.ts';
import { openOptions, type RepositoryOptions, withRepositoryOptions } from '../options.ts';
import type { Run } from '../run.ts';
import { counted, duration } from '../terminal.ts';

const EXAMPLES = `
Examples:
  locus watch .                 Ctrl-C ends it; searches by other commands see each save
  locus watch . --json          one JSON object a line for each batch of changes`;

/** `locus watch <dir>`: keeps the index up to date until interrupted. */
export function watchCommand(run: Run): Command {
  return withRepositoryOptions(new Command('watch'))
    .description('Keep the index up to date as files change, until interrupted.')
    .argument('<dir>', 'a folder or a git working tree')
    .addHelpText('after', EXAMPLES)
    .action((dir: string, options: RepositoryOptions) =>
      run((session) =>
        session.withRepository(dir, openOptions(options, session.host), async (repository) => {
          // That nothing can be watched of a commit is said before it is indexed.
          if ((await repository.status()).revision === null) {
            const report = await session.index(repository, true);
            session.note(
              `watching ${counted(report.files, 'file')}, ${counted(report.chunks, 'function')}; Ctrl-C ends`,
            );
          }
          await repository.watch({
            signal: session.host.signal,
            onUpdate: (update) => {
              // A commit, say, changes no file.
              if (update.changed.length + update.removed.length === 0) return;
              if (session.json) session.printJsonLine(update);
              else session.print(describe(update));
            },
            onError: (error) => session.note(`locus: ${error.message}`),
          });
          return EXIT.ok;
        }),
      ),
    );
}

function describe({ changed, removed, chunksEncoded, searchableMs, totalMs }: WatchUpdate): string {
  const files = [...changed, ...removed.map((path) => `${path} (removed)`)];
  const named = files.slice(0, 3).map(visible).join(', ');
  const more = files.length > 3 ? ` and ${counted(files.length - 3, 'other file')}` : '';
  return `${named}${more}: searchable after ${duration(searchableMs / 1000)}, complete after ${duration(totalMs / 1000)}, ${counted(chunksEncoded, 'function')} encoded`;
}
