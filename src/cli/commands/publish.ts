import { Command } from 'commander';
import { defer } from '../../base/defer.ts';
import type { PublishReport } from '../../services/shared-index/publish.ts';
import { badInput, type LocusError } from '../../shared/errors.ts';
import { present } from '../../shared/present.ts';
import { visible } from '../../shared/quoted.ts';
import { EXIT } from '../exit-codes.ts';
import { notEmpty, openOptions, type RepositoryOptions, withEngineOptions } from '../options.ts';
import type { Run, Session } from '../session.ts';
import { bytes, counted } from '../terminal.ts';

const EXAMPLES = `
What is sent where: docs/shared-index.md. A folder, a bucket (s3://bucket/prefix), each for any number of repositories.

Examples:
  locus publish . --to /mnt/shared/locus
  locus publish . --to s3://acme-locus/index             credentials as Amazon's own tools find them
  locus publish . --to 's3://locus/x?endpoint=https://minio.example.com'
  LOCUS_PUBLISHER_KEY="$KEY" locus publish . --to …      in CI: a key from docs/shared-index.md`;

interface Options extends RepositoryOptions {
  to: string;
  name?: string;
}

export function publishCommand(run: Run): Command {
  return withEngineOptions(new Command('publish'))
    .description('Put the complete index of a commit where other machines take it from.')
    .argument('<dir>', 'a git repository, bare or not')
    .requiredOption('--to <place>', 'a folder or s3://bucket/prefix')
    .option('--at <revision>', 'the commit to publish', notEmpty, 'HEAD')
    .option(
      '--name <name>',
      'what the repository is listed as (default: its remote "origin")',
      notEmpty,
    )
    .addHelpText('after', EXAMPLES)
    .action((dir: string, options: Options) =>
      run(async (session) => {
        const report = await publishFrom(dir, options, session);
        session.tell(report, () => render(report, options.to, session));
        return EXIT.ok;
      }),
    );
}

async function publishFrom(
  dir: string,
  options: Options,
  session: Session,
): Promise<PublishReport> {
  const { publish } = await import('../../services/shared-index/publish.ts');
  const { ownPublisher } = await import('../../services/shared-index/publisher.ts');
  const { openObjects } = await import('../../services/objects/open.ts');
  const { dataDirectory } = await import('../../services/locations.ts');
  const { dirname } = await import('node:path');
  const { host } = session;
  const open = openOptions(options, host);
  if (open.exclude) throw notWhole();
  const objects = await openObjects(options.to);
  using _end = defer(() => objects.close());
  const publisher = await ownPublisher(dataDirectory(open.dataDir), host.env);
  // What is there already is not made again, least of all embeddings, whose last bits another run makes otherwise.
  const shared = { from: options.to, keys: [], name: options.name, mayBeNew: true };
  const index = await session.withRepository(dir, { ...open, shared }, async (repository) => {
    await session.index(repository);
    const { root, revision, databasePath } = await repository.status();
    const commit = present(revision, 'the commit of a snapshot of one');
    return { root, commit, directory: dirname(databasePath) };
  });
  return await publish(index, { objects, publisher, name: options.name, signal: host.signal });
}

const notWhole = (): LocusError =>
  badInput(
    'an index without the excluded paths cannot be published: that of a commit is whole',
    'leave out --exclude',
  );

function render(report: PublishReport, to: string, { colors }: Session): string[] {
  const { commit, parts, sent, bytesSent, bytes: all, key, chunks } = report;
  const there = parts - sent;
  return [
    `${colors.bold(counted(chunks, 'function'))} of commit ${commit.slice(0, 10)} are published at ${visible(report.to)}`,
    colors.dim(
      `${counted(sent, 'part')} sent, ${bytes(bytesSent)} · ${there} were there already · ${bytes(all)} in all`,
    ),
    `Other machines take it after ${colors.bold(`locus shared ${visible(to)} --key ${key}`)}`,
  ];
}
