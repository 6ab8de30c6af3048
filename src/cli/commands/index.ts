import { Command } from 'commander';
import { unreadNote } from '../../shared/unread.ts';
import { visible } from '../../shared/visible.ts';
import { EXIT } from '../exit-codes.ts';
import { openOptions, type RepositoryOptions, withRepositoryOptions } from '../options.ts';
import type { Run } from '../run.ts';
import { count, counted, duration } from '../terminal.ts';

const EXAMPLES = `
Examples:
  locus index .                             what changed since the last time is read anew, nothing else
  locus index ~/src/django --at 4.2         a tag, without checking it out
  locus index . --exclude 'vendor/**'`;

/** `locus index <dir>`: brings the index up to date. */
export function indexCommand(run: Run): Command {
  return withRepositoryOptions(new Command('index'))
    .description('Index a repository, or bring its index up to date.')
    .argument('<dir>', 'a folder, a git working tree or a bare repository')
    .addHelpText('after', EXAMPLES)
    .action((dir: string, options: RepositoryOptions) =>
      run((session) =>
        session.withRepository(dir, openOptions(options, session.host), async (repository) => {
          const report = await session.index(repository);
          if (session.json) {
            session.printJson(report);
            return EXIT.ok;
          }
          const { bold, dim } = session.colors;
          session.print(
            `${bold(counted(report.chunks, 'function'))} in ${counted(report.files, 'file')}, ${counted(report.edges, 'call edge')}`,
            dim(
              [
                `${count(report.filesParsed)} read`,
                `${count(report.filesRemoved)} removed`,
                `${count(report.chunksEncoded)} encoded on ${report.device}`,
                `${count(report.skipped)} skipped`,
                `searchable after ${duration(report.seconds.firstSearch)}, complete after ${duration(report.seconds.total)}`,
              ].join(' · '),
            ),
          );
          const { unread, files } = await repository.status();
          if (unread.length > 0) session.note(`locus: ${unreadNote(unread, files)}`);
          if (report.submodules.length > 0) {
            session.note(
              `locus: submodules are not entered: ${report.submodules.map(visible).join(', ')}`,
            );
          }
          return EXIT.ok;
        }),
      ),
    );
}
