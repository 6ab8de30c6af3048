import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { Command } from 'commander';
import { DEFAULTS } from '../../services/mining/defaults.ts';
import excluded from '../../services/mining/excluded-repositories.json' with { type: 'json' };
import type { MineReport } from '../../services/mining/mine.ts';
import type { MineProgress } from '../../services/mining/options.ts';
import { LocusError } from '../../shared/errors.ts';
import { visible } from '../../shared/visible.ts';
import { EXIT } from '../exit-codes.ts';
import { integer, MAX_DATA, notEmpty, readTextFile } from '../options.ts';
import type { Run } from '../run.ts';
import type { Session } from '../session.ts';
import { bytes, type Colors, count, duration, fit, padEnd, widthOf } from '../terminal.ts';

const EXAMPLES = `
What it writes, and how it chooses: docs/training-data.md.

Examples:
  locus mine ~/src/httpx                        encode+httpx.zst in this folder
  locus mine ~/src/httpx --out data/httpx.zst   an interrupted run goes on when started again
  locus mine ~/src/httpx --top-k 20 --negatives 15
  locus mine ~/src/httpx --issues fixed.jsonl   real issues and the commits that closed them
  zstd -dc encode+httpx.zst | head -1           the header`;

interface Options {
  out?: string;
  name?: string;
  at: string;
  minMessage: number;
  maxFiles: number;
  maxChunks: number;
  requireTests: boolean;
  issues?: string;
  limit?: number;
  topK?: number;
  negatives: number;
  model?: string;
  dataDir?: string;
}

/** `locus mine <dir>`: training data from a repository's history. */
export function mineCommand(run: Run): Command {
  return new Command('mine')
    .description(
      'Turn the history of a git repository into data that an encoder can be trained on.',
    )
    .argument('<dir>', 'a git repository, bare or not')
    .option('-o, --out <file>', 'the file to write (default: <name>.zst in this folder)', notEmpty)
    .option('--name <owner/name>', 'what the data calls it (default: from the remote "origin")')
    .option('--at <revision>', 'the commit to begin at', notEmpty, DEFAULTS.revision)
    .option(
      '--min-message <count>',
      'characters of a message',
      integer(1, 10_000),
      DEFAULTS.minMessage,
    )
    .option(
      '--max-files <count>',
      'source files edited at most',
      integer(1, 1000),
      DEFAULTS.maxFiles,
    )
    .option('--max-chunks <count>', 'chunks edited at most', integer(1, 1000), DEFAULTS.maxChunks)
    .option('--require-tests', 'only commits that change tests too', DEFAULTS.requireTests)
    .option('--issues <file>', 'mine only the commits that closed these issues, with their texts')
    .option('-n, --limit <count>', 'commits looked at, taken evenly', integer(1, 10_000_000))
    .option(
      '--top-k <count>',
      'keep commits with an edited chunk ranked this high',
      integer(1, 10_000),
    )
    .option(
      '--negatives <count>',
      'hard negatives for each commit',
      integer(0, 1000),
      DEFAULTS.negatives,
    )
    .option('--model <id or folder>', 'ranks for --top-k and --negatives', notEmpty)
    .option('--data-dir <folder>', 'where models of your own are (or set LOCUS_DATA_DIR)')
    .addHelpText('after', EXAMPLES)
    .action((dir: string, options: Options) =>
      run(async (session) => {
        const { mine } = await import('../../services/mining/mine.ts');
        const { repositoryName } = await import('../../services/mining/name.ts');
        const name =
          options.name?.replace('/', '+') ?? (await repositoryName(dir, session.host.signal));
        if (!/^[\w.+-]+$/.test(name)) throw badName(name);
        warnIfExcluded(name, session);
        const issues = options.issues ? await issuesOf(options.issues, name) : null;
        const out = await outputOf(options.out ?? `${name}.zst`);
        const line = new MiningLine(session);
        try {
          const report = await mine(dir, out, {
            ...DEFAULTS,
            ...options,
            name,
            revision: options.at,
            issues,
            limit: options.limit ?? null,
            topK: options.topK ?? null,
            encoder: () => openEncoder(options, session),
            signal: session.host.signal,
            onProgress: (progress) => line.show(progress),
          });
          line.clear();
          if (session.json) session.printJson({ file: out, ...report });
          else session.print(...render(out, report, session.colors));
          return report.header.pairs > 0 ? EXIT.ok : EXIT.nothingFound;
        } finally {
          line.clear();
        }
      }),
    );
}

async function openEncoder({ model, dataDir }: Options, { host }: Session) {
  const { createEncoder } = await import('../../engine/encode/encoder.ts');
  const { modelFolder } = await import('../../services/models.ts');
  const folder = await modelFolder({ model, dataDir: dataDir ?? host.env.LOCUS_DATA_DIR });
  return createEncoder({ modelFolder: folder, device: 'auto' });
}

async function issuesOf(file: string, name: string) {
  const { parseFixedIssues } = await import('../../services/mining/fixed-issues.ts');
  return parseFixedIssues(await readTextFile(file, MAX_DATA, 'issues to mine'), file, name);
}

/** By name alone as well: a fork or a clone of another name holds the same code. */
function warnIfExcluded(name: string, session: Session): void {
  const owner = name.replace('+', '/').toLowerCase();
  const project = (full: string) => full.slice(full.indexOf('/') + 1).toLowerCase();
  for (const [why, repositories] of Object.entries(excluded)) {
    if (!Array.isArray(repositories)) continue;
    const same = repositories.find(
      (known) => known.toLowerCase() === owner || project(known) === project(owner),
    );
    if (!same) continue;
    session.note(
      `locus: ${name} looks like ${same}, which must never be trained on (${why}); training leaves its file out`,
    );
    return;
  }
}

async function outputOf(out: string): Promise<string> {
  const file = resolve(out);
  const found = await stat(file).catch(() => null);
  if (!found?.isDirectory()) return file;
  throw new LocusError('bad-input', `${out} is a folder`, `give a file: --out ${out}/data.zst`);
}

const badName = (name: string) =>
  new LocusError('bad-input', `${name} is no name of a repository`, 'give --name owner/name');

const PHASES: Record<MineProgress['phase'], string> = {
  history: 'reading history',
  snapshot: 'reading snapshot',
  commits: 'mining commits',
  ranking: 'ranking',
  writing: 'writing',
};

/** A line on a terminal that says how far mining is. */
class MiningLine {
  readonly #session: Session;
  #drawn = false;

  constructor(session: Session) {
    this.#session = session;
  }

  show({ phase, done, total }: MineProgress): void {
    const { stderr } = this.#session.host;
    if (!stderr.isTTY) return;
    const counts = total > 0 ? `  ${count(done)}/${count(total)}` : '';
    stderr.write(`\r\u001b[2K${fit(PHASES[phase] + counts, widthOf(stderr) - 1)}`);
    this.#drawn = true;
  }

  clear(): void {
    if (this.#drawn) this.#session.host.stderr.write('\r\u001b[2K');
    this.#drawn = false;
  }
}

function render(
  file: string,
  { header, resumed, bytes: size, seconds }: MineReport,
  colors: Colors,
) {
  const rejected = Object.entries(header.rejected ?? {}).sort(([, a], [, b]) => b - a);
  const width = Math.max(...rejected.map(([reason]) => reason.length), 9);
  const row = (name: string, value: string) => `${colors.dim(padEnd(name, width))}  ${value}`;
  return [
    row('file', `${visible(basename(file))}, ${bytes(size)}`),
    row('instances', `${count(header.pairs)} of ${count(header.commits ?? 0)} commits`),
    row('chunks', count(header.n)),
    row('took', `${duration(seconds.total)}${resumed ? `, ${count(resumed)} done before` : ''}`),
    'left out',
    ...rejected.map(([reason, n]) => row(reason, count(n))),
  ];
}
