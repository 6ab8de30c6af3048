import { Command } from 'commander';
import type { SharedIndexSource } from '../../services/shared-index/setup.ts';
import { badInput } from '../../shared/errors.ts';
import { formatCounted } from '../../shared/format-count.ts';
import { escapeHidden } from '../../shared/quote.ts';
import type { PullReport } from '../../shared/shared-index.ts';
import { EXIT } from '../exit-codes.ts';
import {
  collect,
  parseNonEmpty,
  type RepositoryCliOptions,
  toOpenOptions,
  withRepositoryOptions,
} from '../options.ts';
import type { RunAction, Session } from '../session.ts';
import { formatBytes, formatDuration } from '../terminal.ts';

const EXAMPLES = `
An index is used only if it is signed with your own key, or a key given by --key or locus shared. See docs/how-to/share-an-index.md.

Examples:
  locus pull .                                            from the storage that locus shared sets
  locus pull . --from /mnt/shared/locus                   an index that you published
  locus pull . --from s3://acme-locus/index --key ed25519:…`;

interface Options extends RepositoryCliOptions {
  from?: string;
  key?: string[];
  name?: string;
}

export function pullCommand(run: RunAction): Command {
  return withRepositoryOptions(new Command('pull'))
    .argument('<dir>', 'a git repository, bare or not')
    .option('--from <storage>', 'a folder, s3://bucket/prefix or https://host/path')
    .option('--key <key>', 'key of a trusted publisher; can be repeated', collect)
    .option(
      '--name <name>',
      'name of the repository in the catalog (default: its remote "origin")',
      parseNonEmpty,
    )
    .addHelpText('after', EXAMPLES)
    .action((dir: string, options: Options) =>
      run(async (session) => {
        const start = performance.now();
        const open = toOpenOptions(options, session.host);
        const source = await resolveSource(options, open.dataDir);
        let taken: PullReport | null = null;
        const shared = {
          ...source,
          name: options.name,
          onPull: (one: PullReport | null) => (taken = one),
        };
        const report = await session.withRepository(dir, { ...open, shared }, (repository) =>
          session.index(repository),
        );
        const seconds = (performance.now() - start) / 1000;
        if (session.json) session.printJson({ taken, index: report });
        else session.print(...(await render(taken, report, seconds, session)));
        return taken ? EXIT.ok : EXIT.nothingFound;
      }),
    );
}

async function resolveSource(
  { from, key }: Options,
  dataDir: string | undefined,
): Promise<SharedIndexSource> {
  const { checkPublicKeys, readSharedSource } = await import(
    '../../services/shared-index/setup.ts'
  );
  const { getDataDirectory } = await import('../../services/locations.ts');
  const setUp = readSharedSource(getDataDirectory(dataDir));
  const storage = from ?? setUp?.from;
  if (storage === undefined) {
    throw badInput(
      'No storage of a shared index is known.',
      'Give --from, or set it up with locus shared.',
    );
  }
  return { from: storage, keys: checkPublicKeys([...(key ?? []), ...(setUp?.keys ?? [])]) };
}

async function render(
  taken: PullReport | null,
  {
    filesParsed,
    chunksEncoded,
    chunks,
  }: { filesParsed: number; chunksEncoded: number; chunks: number },
  seconds: number,
  { colors }: Session,
): Promise<string[]> {
  const { describeCommit } = await import('../../services/shared-index/prepare.ts');
  const local = `${formatCounted(filesParsed, 'file')} parsed and ${formatCounted(chunksEncoded, 'function')} encoded here`;
  const first = taken
    ? `${colors.bold(formatCounted(taken.chunks, 'function'))} downloaded from ${escapeHidden(taken.from)}: the index of ${describeCommit(taken)}`
    : 'No index of a nearby commit is published. Everything was indexed here.';
  const size = taken ? `${formatBytes(taken.bytes)} · ` : '';
  return [
    first,
    colors.dim(
      `${size}${local} · ${formatCounted(chunks, 'function')}, complete after ${formatDuration(seconds)}`,
    ),
  ];
}
