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
  embedForReranking?: boolean;
}

const EXAMPLES = `
Examples:
  locus index .                             index only what changed since the last time
  locus index ~/src/django --at 4.2         a tag, without checking it out
  locus index ~/src --workspace             every repository in a folder
  locus index . --exclude 'vendor/**'
  locus index . --embed-for-reranking       later searches rerank their results at once`;

export function indexCommand(run: Run): Command {
  return withSeveral(withRepositoryOptions(new Command('index')))
    .description('Index a repository, or update its index.')
    .argument('[dir...]', 'folders, git working trees or bare repositories')
    .option('--embed-for-reranking', 'also embed every function for the reranker in advance')
    .addHelpText('after', EXAMPLES)
    .action((dirs: string[], options: IndexOptions) =>
      run(async (session) => {
        const folders = [...dirs, ...(options.repo ?? [])];
        const several = await severalOf(folders, options, session);
        const open = openOptions(options, session.host);
        if (several) return indexEach(several, open, options, session);
        return session.withRepository(folders[0] ?? '', open, async (repository) => {
          const report = await session.index(repository);
          if (!session.json) await printReport(report, repository, session);
          const reading = await embedIfRequested(repository, options, session);
          if (session.json) session.printJson({ ...report, ...reading });
          return EXIT.ok;
        });
      }),
    );
}

/** Indexes each repository. Returns the exit code of the first failure, if any. */
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
      await printReport(report, repository, session);
    }
    return { ...report, ...(await embedIfRequested(repository, options, session)) };
  });
  if (session.json) session.printJson({ repositories: outcomes.map(asJson) });
  return codeOf(outcomes);
}

async function embedIfRequested(
  repository: Repository,
  { embedForReranking = false }: IndexOptions,
  session: Session,
): Promise<{ reading?: ReadingReport }> {
  if (!embedForReranking) return {};
  const reading = await session.readAll(repository);
  const { functions, read, seconds } = reading;
  const summary = `${counted(functions, 'function')} embedded for reranking, ${count(read)} of them in ${duration(seconds)}`;
  if (!session.json) session.print(session.colors.dim(summary));
  return { reading };
}

async function printReport(
  report: IndexReport,
  repository: Repository,
  session: Session,
): Promise<void> {
  const { bold, dim } = session.colors;
  session.print(
    `${bold(counted(report.chunks, 'function'))} in ${counted(report.files, 'file')}, ${counted(report.edges, 'call edge')}`,
    dim(
      [
        `${count(report.filesParsed)} parsed`,
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
    session.note(`locus: Submodules were not indexed: ${report.submodules.map(named).join(', ')}`);
}
