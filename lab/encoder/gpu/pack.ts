/**
 * Makes what a short run on a machine with a GPU needs, in two folders that need nothing else of the project:
 * `npm run -s lab -- gpu-pack --data <folder of mine> --lists <folder of training-lists> --start <folder of a pretrained BERT> --code
 * <folder of Python files> --out <folder>`
 *
 * `providers` measures coret-1 in onnxruntime on that machine's GPU and CPU. `train` trains a cross-encoder and distills it.
 * docs/how-to/train-the-models.md has the steps.
 *
 * - `--data`: files of `mine`, to learn from and, for repositories to tune on, to measure on. Repeatable.
 * - `--lists`: ranked lists of real issues, likewise.
 * - `--copies`: files of `training-issues`. Functions that are copies of theirs are not used for training.
 * - `--start`: pretrained BERT with at least 512 positions, whose last ones the model lacks.
 * - `--code`: Python files whose chunks are embedded for the measurement.
 * - `--libraries`: folder of Debian packages that the machine needs, such as libvulkan1. Optional.
 * - `--capped`: names of repositories that are at most a quarter of the real issues in a step, one per line. Optional.
 * - `--commits`: number of commits of each repository. `--limit`: maximum size of each folder, in MiB.
 *
 * A stopped command continues where it was. Exits with 1 if a folder exceeds the limit.
 */

import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  statSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { createInputs, loadManifest } from '../../../src/engine/lab.ts';
import { MODELS_FOLDER } from '../../../src/services/models-folder.ts';
import { readDocuments } from '../../bench/support/documents.ts';
import { findBreaches, getPart } from '../../split/split.ts';
import { Random } from '../random.ts';
import { readCopies, readIssues, readMined, type Source } from '../sources.ts';
import { copyStart, hasBegun, openStart } from '../start.ts';
import { readTensor, writeTensors } from '../tensors.ts';
import { Rows, thinOut, writeSource } from '../write-source.ts';
import { chooseReranked, chooseSome } from './choose-list.ts';

const ENCODERS = join(import.meta.dirname, '..');
const MODEL = join(MODELS_FOLDER, 'coret-1');
const RUNTIME = join(
  import.meta.dirname,
  '../../../node_modules/onnxruntime-node/bin/napi-v6/linux/x64/libonnxruntime.so.1',
);
/** Number of candidates of a commit's list. */
const LISTED = 16;
/** Maximum number of tokens of a query, so that it and a chunk have at most 512. */
const QUERY_TOKENS = 256;
/** Number of positions that the model has, and that a cross-encoder needs. */
const [POSITIONS, NEEDED] = [320, 512];
const POSITIONS_NAME = 'embeddings.position_embeddings.weight';

const option = { type: 'string' } as const;
const { values } = parseArgs({
  options: {
    data: { type: 'string', multiple: true, default: [] as string[] },
    ...{ lists: option, copies: option, start: option, code: option, out: option },
    ...{ libraries: option, capped: option },
    commits: { type: 'string', default: '60' },
    limit: { type: 'string', default: '60' },
  },
});
const { data, lists, start: bert, code, out } = values;
if (!out || !bert || !code || (data.length === 0 && !lists)) {
  console.error(
    'usage: npm run -s lab -- gpu-pack [--data <folder>] [--lists <folder>] --start <folder> --code <folder> --out <folder> [--copies <folder>] [--libraries <folder>] [--capped <file>] [--commits 60] [--limit 60]',
  );
  process.exit(2);
}
const [providers, train] = [join(out, 'providers'), join(out, 'train')];
const rows = join(train, 'rows');

const files = [
  ...data.flatMap((folder) => listFiles(folder, '.zst')),
  ...listFiles(lists, '.jsonl'),
];
const refused = findBreaches(files.map(getRepository), 'train', 'tune');
if (refused.length > 0) {
  console.error(
    `The split in lab/split forbids training on ${refused.join(', ')}. Remove their files.`,
  );
  process.exit(1);
}
await packRows();
await packCode();
packModel();
packPositions(bert);
compress();
cpSync(join(train, 'model'), join(providers, 'model'), { recursive: true });
process.exitCode = checkSizes() ? 0 : 1;

/** Returns the files of a folder with this ending. */
function listFiles(folder: string | undefined, ending: string): string[] {
  const names = folder ? readdirSync(folder).filter((name) => name.endsWith(ending)) : [];
  return names.sort().map((name) => join(folder ?? '', name));
}

function getRepository(file: string): string {
  return basename(file)
    .replace(/\.(zst|jsonl)$/, '')
    .replace('__', '+');
}

/** Writes the lists of all repositories as rows. Those of real issues have a name of their own, since commits may have lists too. */
async function packRows(): Promise<void> {
  mkdirSync(rows, { recursive: true });
  if (!hasBegun(rows)) copyStart(MODEL, rows);
  if (values.capped) copyFileSync(values.capped, join(train, 'capped.txt'));
  const start = openStart(rows);
  const copies = values.copies ? readCopies(values.copies) : new Set<string>();
  if (!values.copies)
    console.error(
      'Without --copies, functions that are copies of evaluation data are not left out.',
    );
  for (const file of files) {
    const kind = file.endsWith('.zst') ? '' : '.issues';
    const target = join(rows, `${getRepository(file)}${kind}.safetensors`);
    if (existsSync(target) || existsSync(`${target}.xz`)) continue;
    const source = thinOut(await readLists(file, copies), 0);
    if (source.commits.length > 0)
      await writeSource(source, target, start, { maxQueryTokens: QUERY_TOKENS });
  }
}

/** Reads the lists of a repository: all candidates of real issues and of repositories to measure on, else some. */
async function readLists(file: string, copies: ReadonlySet<string>): Promise<Source> {
  const isMeasured = getPart(getRepository(file)) === 'tune';
  const whole = chooseReranked(isMeasured);
  if (!file.endsWith('.zst')) return readIssues(file, isMeasured ? new Set() : copies, whole);
  const some = chooseSome(LISTED, new Random(`lists of ${getRepository(file)}`));
  return readMined(file, isMeasured ? new Set() : copies, isMeasured ? 0 : 1, {
    commits: Number(values.commits),
    chooseList: isMeasured ? whole : some,
  });
}

/** Writes the tokens of the chunks to embed, and copies onnxruntime and the libraries that the machine needs. */
async function packCode(): Promise<void> {
  const target = join(providers, 'chunks.safetensors');
  mkdirSync(providers, { recursive: true });
  if (!existsSync(target) && !existsSync(`${target}.xz`)) {
    const documents = await readDocuments(code ?? '');
    const inputs = await createInputs(MODEL, await loadManifest(MODEL));
    const chunks = new Rows(0);
    for (const document of documents) chunks.add(inputs.buildDocument(document));
    writeTensors(target, {}, chunks.tensors('documents', false));
    console.log(`${documents.length} chunks to embed`);
  }
  const library = join(providers, basename(RUNTIME));
  if (!existsSync(`${library}.xz`)) copyFileSync(RUNTIME, library);
  for (const file of listFiles(values.libraries, '.deb'))
    copyFileSync(file, join(providers, basename(file)));
}

/** Copies the programs, and the model rounded to int8, from which the machine makes other precisions. */
function packModel(): void {
  const model = join(train, 'model');
  for (const name of globSync('**/*.py', { cwd: ENCODERS }))
    for (const folder of [providers, train])
      cpSync(join(ENCODERS, name), join(folder, 'encoder', name));
  if (existsSync(join(model, 'model.int8.onnx.xz'))) return;
  mkdirSync(model, { recursive: true });
  for (const name of ['model.json', 'tokenizer.json', 'model.int8.onnx'])
    copyFileSync(join(MODEL, name), join(model, name));
}

/** Writes the positions that the model lacks. */
function packPositions(folder: string): void {
  const numbers = readTensor(join(folder, 'model.safetensors'), POSITIONS_NAME);
  const width = numbers.length / NEEDED;
  if (!Number.isInteger(width)) throw new Error(`${folder} does not have ${NEEDED} positions.`);
  const positions = { numbers: numbers.subarray(POSITIONS * width), width };
  writeTensors(join(train, 'positions.safetensors'), {}, { positions });
}

/** Compresses everything large. */
function compress(): void {
  const large = globSync('**/*.{safetensors,onnx,so.1}', { cwd: out ?? '' });
  const paths = large.map((name) => join(out ?? '', name));
  const script = join(ENCODERS, 'gpu/compress.py');
  const { status } = spawnSync('python3', [script, ...paths], { stdio: 'inherit' });
  if (status !== 0) throw new Error('Compression failed. Install Python 3 and try again.');
}

/** Prints the sizes of the folders. Returns false if one exceeds the limit. */
function checkSizes(): boolean {
  const limit = Number(values.limit);
  return [providers, train]
    .map((folder) => {
      const size = measureFolder(folder);
      console.log(`${folder}: ${size.toFixed(1)} MiB of ${limit}`);
      if (size <= limit) return true;
      console.error(
        folder === train
          ? `The rows are ${measureFolder(rows).toFixed(1)} MiB. Give fewer --commits or fewer repositories, and another --out.`
          : 'Give a --code with fewer files, and another --out.',
      );
      return false;
    })
    .every(Boolean);
}

/** Returns the size of a folder's files in MiB. */
function measureFolder(folder: string): number {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true });
  const all = names.filter((entry) => entry.isFile());
  return (
    all.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0) /
    2 ** 20
  );
}
