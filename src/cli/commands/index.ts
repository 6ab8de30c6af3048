import { Command } from 'commander';
import type { OpenOptions } from '../../services/open-repository.ts';
import type { IndexReport, ReadingReport } from '../../shared/indexing.ts';
import { named } from '../../shared/quoted.ts';
import type { Repository } from '../../shared/repository.ts';
import { unreadNote } from '../../shared/unread.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { openOptions, type RepositoryOptions, withRepositoryOptions } from '../options.ts';
import {
  asJson,
  codeOf,
  type NamedRepository,
  onEach,
  type SeveralOptions,
  severalOf,
  withSeveral,
} from '../repositories.ts';
import type { Run, Session } from '../session.ts';
import { count, counted, duration } from '../terminal.ts';

interface IndexOptions extends RepositoryOptions, SeveralOptions {
  read?: boolean;
}

const EXAMPLES = `
Examples:
  locus index .                             what changed since the last time is read anew, nothing else
  locus index ~/src/django --at 4.2         a tag, without checking it out
  locus index ~/src --each                  every repository in a folder
  locus index . --exclude 'vendor/**'
  locus index . --read                      all functions are read in advance: from then on lists are refined at once`;

export function indexCommand(run: Run): Command {
  return withSeveral(withRepositoryOptions(new Command('index')))
    .description('Index a repository, or bring its index up to date.')
    .argument('[dir...]', 'folders, git working trees or bare repositories')
    .option('--read', 'also read all functions in advance, for the refined lists of searches')
    .addHelpText('after', EXAMPLES)
    .action((dirs: string[], options: IndexOptions) =>
      run(async (session) => {
        const folders = [...dirs, ...(options.repo ?? [])];
        const several = await severalOf(folders, options, session);
        const open = openOptions(options, session.host);
        if (several) return indexEach(several, open, options, session);
        return session.withRepository(folders[0] ?? '', open, async (repository) => {
          const report = await session.index(repository);
          if (!session.json) await tell(report, repository, session);
          const reading = await readIfWanted(repository, options, session);
          if (session.json) session.printJson({ ...report, ...reading });
          return EXIT.ok;
        });
      }),
    );
}

/** The exit code is the first failure's, if there is one. */
async function indexEach(
  repositories: readonly NamedRepository[],
  open: OpenOptions,
  options: IndexOptions,
  session: Session,
): Promise<ExitCode> {
  const outcomes = await onEach(repositories, open, session, async (repository) => {
    const report = await session.index(repository);
    if (!session.json) {
      session.print(named((await repository.status()).root));
      await tell(report, repository, session);
    }
    return { ...report, ...(await readIfWanted(repository, options, session)) };
  });
  if (session.json) session.printJson({ repositories: outcomes.map(asJson) });
  return codeOf(outcomes);
}

async function readIfWanted(
  repository: Repository,
  { read: isWanted }: IndexOptions,
  session: Session,
): Promise<{ reading?: ReadingReport }> {
  if (!isWanted) return {};
  const reading = await session.readAll(repository);
  const { functions, read, seconds } = reading;
  const said = `${counted(functions, 'function')} read in advance, ${count(read)} of them in ${duration(seconds)}`;
  if (!session.json) session.print(session.colors.dim(said));
  return { reading };
}

async function tell(report: IndexReport, repository: Repository, session: Session): Promise<void> {
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
  if (report.submodules.length > 0)
    session.note(`locus: submodules are not entered: ${report.submodules.map(named).join(', ')}`);
}
