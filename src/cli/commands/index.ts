import { Command } from 'commander';
import type { OpenRepositoryOptions } from '../../services/open-repository.ts';
import { formatCount, formatCounted } from '../../shared/format-count.ts';
import type { BackgroundEmbeddingReport, IndexReport } from '../../shared/indexing.ts';
import { quoteName } from '../../shared/quote.ts';
import type { Repository } from '../../shared/repository.ts';
import { describeUnsupported } from '../../shared/unsupported.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { type RepositoryCliOptions, toOpenOptions, withRepositoryOptions } from '../options.ts';
import type { RunAction, Session } from '../session.ts';
import { formatDuration } from '../terminal.ts';
import {
  getExitCode,
  type NamedRepository,
  outcomeToJson,
  resolveWorkspace,
  runOnEach,
  type WorkspaceOptions,
  withWorkspaceOptions,
} from '../workspace.ts';

interface IndexOptions extends RepositoryCliOptions, WorkspaceOptions {
  embedForReranking?: boolean;
  quiet?: boolean;
}

const EXAMPLES = `
Examples:
  locus index .                             index only what changed since the last time
  locus index ~/src/django --at 4.2         a tag, without checking it out
  locus index ~/src --workspace             every repository in a folder
  locus index . --exclude 'vendor/**'
  locus index . --embed-for-reranking       later searches rerank their results at once`;

export function indexCommand(run: RunAction): Command {
  return withWorkspaceOptions(withRepositoryOptions(new Command('index')))
    .argument('[dir...]', 'folders, git working trees or bare repositories')
    .option('--embed-for-reranking', 'also embed every function for the reranker in advance')
    .option('--quiet', 'print nothing if it succeeds, for hooks and scripts')
    .addHelpText('after', EXAMPLES)
    .action((dirs: string[], options: IndexOptions) =>
      run(async (session) => {
        const folders = [...dirs, ...(options.repo ?? [])];
        const several = await resolveWorkspace(folders, options, session);
        const open = toOpenOptions(options, session.host);
        if (several) return indexEach(several, open, options, session);
        return session.withRepository(folders[0] ?? '', open, async (repository) => {
          const report = await session.index(repository);
          if (isPrinted(options, session)) await printReport(report, repository, session);
          const embedding = await embedIfRequested(repository, options, session);
          if (session.json) session.printJson({ ...report, ...embedding });
          return EXIT.ok;
        });
      }),
    );
}

const isPrinted = ({ quiet = false }: Pick<IndexOptions, 'quiet'>, { json }: Session): boolean =>
  !(json || quiet);

/** Indexes each repository. Returns the exit code of the first failure, if any. */
async function indexEach(
  repositories: readonly NamedRepository[],
  open: OpenRepositoryOptions,
  options: IndexOptions,
  session: Session,
): Promise<ExitCode> {
  const outcomes = await runOnEach(repositories, open, session, async (repository) => {
    const report = await session.index(repository);
    if (isPrinted(options, session)) {
      session.print(quoteName((await repository.status()).root));
      await printReport(report, repository, session);
    }
    return { ...report, ...(await embedIfRequested(repository, options, session)) };
  });
  if (session.json) session.printJson({ repositories: outcomes.map(outcomeToJson) });
  return getExitCode(outcomes);
}

async function embedIfRequested(
  repository: Repository,
  { embedForReranking = false, quiet = false }: IndexOptions,
  session: Session,
): Promise<{ backgroundEmbedding?: BackgroundEmbeddingReport }> {
  if (!embedForReranking) return {};
  const backgroundEmbedding = await session.embedForReranking(repository);
  const { functions, embedded, seconds } = backgroundEmbedding;
  const summary = `${formatCounted(functions, 'function')} embedded for reranking, ${formatCount(embedded)} of them in ${formatDuration(seconds)}`;
  if (isPrinted({ quiet }, session)) session.print(session.colors.dim(summary));
  return { backgroundEmbedding };
}

async function printReport(
  report: IndexReport,
  repository: Repository,
  session: Session,
): Promise<void> {
  const { bold, dim } = session.colors;
  session.print(
    `${bold(formatCounted(report.chunks, 'function'))} in ${formatCounted(report.files, 'file')}, ${formatCounted(report.edges, 'call edge')}`,
    dim(
      [
        `${formatCount(report.filesParsed)} parsed`,
        `${formatCount(report.filesRemoved)} removed`,
        `${formatCount(report.chunksEncoded)} encoded on ${report.device}`,
        `${formatCount(report.skipped)} skipped`,
        `searchable after ${formatDuration(report.seconds.firstSearch)}, complete after ${formatDuration(report.seconds.total)}`,
      ].join(' · '),
    ),
  );
  const { unread, files } = await repository.status();
  if (unread.length > 0) session.note(`locus: ${describeUnsupported(unread, files)}`);
  if (report.submodules.length > 0)
    session.note(
      `locus: Submodules were not indexed: ${report.submodules.map(quoteName).join(', ')}`,
    );
}
