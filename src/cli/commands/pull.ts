import { Command } from 'commander';
import type { SharedSource } from '../../services/shared-index/setup.ts';
import { badInput } from '../../shared/errors.ts';
import { visible } from '../../shared/quoted.ts';
import type { PullReport } from '../../shared/shared-index.ts';
import { EXIT } from '../exit-codes.ts';
import {
  collect,
  notEmpty,
  openOptions,
  type RepositoryOptions,
  withRepositoryOptions,
} from '../options.ts';
import type { Run, Session } from '../session.ts';
import { bytes, counted, duration } from '../terminal.ts';

const EXAMPLES = `
Only indexes are taken that were signed with one's own key or with one that --key or locus shared names: docs/shared-index.md.

Examples:
  locus pull .                                            from where locus shared says
  locus pull . --from /mnt/shared/locus                   what was published from here
  locus pull . --from s3://acme-locus/index --key ed25519:…`;

interface Options extends RepositoryOptions {
  from?: string;
  key?: string[];
  name?: string;
}

export function pullCommand(run: Run): Command {
  return withRepositoryOptions(new Command('pull'))
    .description('Take the nearest published index, and bring it up to date.')
    .argument('<dir>', 'a git repository, bare or not')
    .option('--from <place>', 'a folder, s3://bucket/prefix or https://host/path')
    .option('--key <key>', 'a publisher who is trusted; may be given again', collect)
    .option(
      '--name <name>',
      'what the repository is listed as (default: its remote "origin")',
      notEmpty,
    )
    .addHelpText('after', EXAMPLES)
    .action((dir: string, options: Options) =>
      run(async (session) => {
        const start = performance.now();
        const open = openOptions(options, session.host);
        const source = await sourceOf(options, open.dataDir);
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

async function sourceOf(
  { from, key }: Options,
  dataDir: string | undefined,
): Promise<SharedSource> {
  const { checkedKeys, sharedSource } = await import('../../services/shared-index/setup.ts');
  const { dataDirectory } = await import('../../services/locations.ts');
  const setUp = sharedSource(dataDirectory(dataDir));
  const place = from ?? setUp?.from;
  if (place === undefined) {
    throw badInput(
      'nothing says where the shared index is',
      'give --from, or set it up with locus shared',
    );
  }
  return { from: place, keys: checkedKeys([...(key ?? []), ...(setUp?.keys ?? [])]) };
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
  const { aCommit } = await import('../../services/shared-index/prepare.ts');
  const made = `${counted(filesParsed, 'file')} read and ${counted(chunksEncoded, 'function')} encoded here`;
  const first = taken
    ? `${colors.bold(counted(taken.chunks, 'function'))} taken from ${visible(taken.from)}: the index of ${aCommit(taken)}`
    : 'nothing near is published: all was indexed here';
  const size = taken ? `${bytes(taken.bytes)} · ` : '';
  return [
    first,
    colors.dim(
      `${size}${made} · ${counted(chunks, 'function')}, complete after ${duration(seconds)}`,
    ),
  ];
}
