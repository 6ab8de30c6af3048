import { Command } from 'commander';
import { defer } from '../../base/defer.ts';
import type { PublishReport } from '../../services/shared-index/publish.ts';
import { assertPresent } from '../../shared/assert-present.ts';
import { badInput, type LocusError } from '../../shared/errors.ts';
import { formatCounted } from '../../shared/format-count.ts';
import { escapeHidden } from '../../shared/quote.ts';
import { EXIT } from '../exit-codes.ts';
import {
  parseNonEmpty,
  type RepositoryCliOptions,
  toOpenOptions,
  withEngineOptions,
} from '../options.ts';
import type { RunAction, Session } from '../session.ts';
import { formatBytes } from '../terminal.ts';

const EXAMPLES = `
docs/reference/shared-index.md explains what is uploaded. One folder or bucket can hold the indexes of any number of repositories.

Examples:
  locus publish . --to /mnt/shared/locus
  locus publish . --to s3://acme-locus/index             with the credentials of the AWS tools
  locus publish . --to 's3://locus/x?endpoint=https://minio.example.com'
  LOCUS_PUBLISHER_KEY="$KEY" locus publish . --to …      in CI; docs/how-to/share-an-index.md explains the key`;

interface Options extends RepositoryCliOptions {
  to: string;
  name?: string;
}

export function publishCommand(run: RunAction): Command {
  return withEngineOptions(new Command('publish'))
    .argument('<dir>', 'a git repository, bare or not')
    .requiredOption('--to <storage>', 'a folder or s3://bucket/prefix')
    .option('--at <revision>', 'commit to publish', parseNonEmpty, 'HEAD')
    .option(
      '--name <name>',
      'name of the repository in the catalog (default: its remote "origin")',
      parseNonEmpty,
    )
    .addHelpText('after', EXAMPLES)
    .action((dir: string, options: Options) =>
      run(async (session) => {
        const report = await publishFrom(dir, options, session);
        session.printResult(report, () => render(report, options.to, session));
        return EXIT.ok;
      }),
    );
}

async function publishFrom(
  dir: string,
  options: Options,
  session: Session,
): Promise<PublishReport> {
  const { publishIndex } = await import('../../services/shared-index/publish.ts');
  const { readOwnPublisher } = await import('../../services/shared-index/publisher.ts');
  const { openObjects } = await import('../../services/objects/open.ts');
  const { getDataDirectory } = await import('../../services/locations.ts');
  const { dirname } = await import('node:path');
  const { host } = session;
  const open = toOpenOptions(options, host);
  if (open.exclude) throw cannotExclude();
  const objects = await openObjects(options.to);
  using _end = defer(() => objects.close());
  const publisher = await readOwnPublisher(getDataDirectory(open.dataDir), host.env);
  // Reuse the parts that are published already. Embeddings computed again differ in the last bits, and would be sent again.
  const shared = { from: options.to, keys: [], name: options.name, mayBeNew: true };
  const index = await session.withRepository(dir, { ...open, shared }, async (repository) => {
    await session.index(repository);
    const { root, revision, databasePath } = await repository.status();
    const commit = assertPresent(revision, 'the commit of a snapshot of a commit');
    return { root, commit, directory: dirname(databasePath) };
  });
  return await publishIndex(index, { objects, publisher, name: options.name, signal: host.signal });
}

const cannotExclude = (): LocusError =>
  badInput(
    'An index with excluded paths cannot be published: it must contain the whole commit.',
    'Omit --exclude.',
  );

function render(report: PublishReport, to: string, { colors }: Session): string[] {
  const { commit, parts, sent, bytesSent, bytes: all, key, chunks } = report;
  const reused = parts - sent;
  return [
    `${colors.bold(formatCounted(chunks, 'function'))} of commit ${commit.slice(0, 10)} published to ${escapeHidden(report.to)}`,
    colors.dim(
      `${formatCounted(sent, 'part')} uploaded, ${formatBytes(bytesSent)} · ${reused} already there · ${formatBytes(all)} in total`,
    ),
    `To use it on other machines, run there: ${colors.bold(`locus shared ${escapeHidden(to)} --key ${key}`)}`,
  ];
}
