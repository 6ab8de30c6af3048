/** Damages Locus's own files at random: they are rebuilt if possible, and results stay the same. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { DamagedIndex } from '../../src/base/damage.ts';
import { getModelKey, loadManifest, type ModelManifest } from '../../src/engine/encode/manifest.ts';
import { RepositoryIndex } from '../../src/engine/snapshot/repository-index.ts';
import { listGenerations } from '../../src/engine/store/row-generations.ts';
import { Store } from '../../src/engine/store/store.ts';
import { DEFAULT_MODEL } from '../../src/services/models.ts';
import { MODELS_FOLDER } from '../../src/services/models-folder.ts';
import { type OpenRepositoryOptions, openRepository } from '../../src/services/open-repository.ts';
import { assertPresent } from '../../src/shared/assert-present.ts';
import { LocusError } from '../../src/shared/errors.ts';
import type { Repository } from '../../src/shared/repository.ts';
import { corrupt } from '../support/corrupt.ts';
import { databasePath } from '../support/dump.ts';
import { SEED, scaleRounds, uniform } from '../support/effort.ts';
import {
  git,
  gitRepository,
  removeFolder,
  syntheticPackage,
  temporaryFolder,
  writeFiles,
} from '../support/repository.ts';

const ISSUE = 'Whether the session is sound, see parse_header_2 and Cookie0.check';
const CHUNK = 'pkg/module_2.py::parse_header_2';

const options = (dataDir: string): OpenRepositoryOptions => ({ dataDir, device: 'cpu' });
const open = (dataDir: string) => openRepository(root, options(dataDir));

let root: string;
/** Data directories: one closed properly, and one left by a killed process, with a write-ahead log. */
let closed: string;
let killed: string;
/** Index of another repository, for pages to copy. */
let foreign: Buffer;
let right: string;
let model: ModelManifest;

before(async () => {
  model = await loadManifest(join(MODELS_FOLDER, DEFAULT_MODEL));
  root = gitRepository(syntheticPackage(24));
  for (let i = 0; i < 4; i++) {
    writeFiles(root, { 'pkg/notes.py': `def note_${i}():\n    """Keep the cookie."""\n` });
    git(root, 'add', '-A');
    git(root, 'commit', '-q', '-m', `Keep the session, ${i}`);
  }
  [closed, killed] = [temporaryFolder(), temporaryFolder()];
  const repository = await open(closed);
  await repository.index();
  right = await readAnswers(repository);
  cpSync(closed, killed, { recursive: true });
  await repository.close();
  const other = gitRepository(syntheticPackage(30));
  const otherData = temporaryFolder();
  const another = await openRepository(other, options(otherData));
  await another.index();
  await another.close();
  foreign = readFileSync(databasePath(otherData)!);
  for (const folder of [other, otherData]) removeFolder(folder);
});

after(() => {
  for (const folder of [root, closed, killed]) removeFolder(folder);
});

/** Returns a repository's answers without times and ids, and without the last bits of numbers. */
async function readAnswers(repository: Repository): Promise<string> {
  const { tookMs: _tookMs, ...search } = await repository.search({
    issue: ISSUE,
    limit: 200,
    rerank: { count: 0 },
  });
  const show = await repository.show({ chunk: CHUNK });
  const neighbors = await repository.neighbors({ chunk: CHUNK, depth: 2 });
  return JSON.stringify({ search, show, neighbors }, (_key, value) =>
    typeof value === 'number' ? Number(value.toFixed(4)) : value,
  );
}

interface Outcome {
  notes: string[];
  /** Answers before the index was updated; null if it was not complete. */
  first: string | null;
  last: string;
}

/** Uses an index as the command line does: if it turns out to be damaged, it is opened once more. */
async function openAndSearch(dataDir: string, damage: () => void): Promise<Outcome> {
  const notes: string[] = [];
  for (let attempt = 0; ; attempt++) {
    const repository = await open(dataDir);
    try {
      if (attempt === 0) damage();
      const before = await readAnswersIfComplete(repository);
      const report = await repository.index();
      notes.push(...report.notes);
      // A damaged end of the log counts as not written, and history comes last.
      const first = report.seconds.phases.history === undefined ? before : null;
      return { notes, first, last: await readAnswers(repository) };
    } catch (error) {
      if (!(error instanceof DamagedIndex) || attempt > 0) throw error;
      notes.push(error.message);
    } finally {
      await repository.close();
    }
  }
}

async function readAnswersIfComplete(repository: Repository): Promise<string | null> {
  const { partial } = await repository.search({ issue: ISSUE, rerank: { count: 0 } });
  return partial ? null : readAnswers(repository);
}

type Verdict = 'right' | 'rebuilt' | 'incomplete' | 'newer';

/** Damages one file of an index, before or after it is opened, and uses the index. Returns the outcome. */
async function damageAndUse(draw: () => number): Promise<[file: string, how: string, Verdict]> {
  const dataDir = temporaryFolder();
  const path = copyIndex(dataDir, draw);
  const late = draw() < 0.3;
  let how = late ? ' while open' : '';
  const damage = () => {
    how = corrupt(path, draw, foreign) + how;
  };
  try {
    if (!late) damage();
    const verdict = await judge(dataDir, late ? damage : null);
    return [basename(path), how, verdict];
  } catch (error) {
    throw new Error(`${basename(path)}, ${how}: ${(error as Error).message}`, { cause: error });
  } finally {
    removeFolder(dataDir);
  }
}

/** Copies an index. Returns the file to damage. */
function copyIndex(dataDir: string, draw: () => number): string {
  cpSync(draw() < 0.5 ? closed : killed, dataDir, { recursive: true });
  const database = databasePath(dataDir)!;
  const choice = draw();
  if (choice < 0.08) return join(database, '../writer.lock');
  if (choice > 0.8)
    return assertPresent(listGenerations(dirname(database))[0], 'a file of rows').path;
  return choice < 0.4 && existsSync(`${database}-wal`) ? `${database}-wal` : database;
}

/** Uses a damaged index and checks its results. @param late damages the index while it is open */
async function judge(dataDir: string, late: (() => void) | null): Promise<Verdict> {
  let outcome: Outcome;
  try {
    outcome = await openAndSearch(dataDir, late ?? (() => {}));
    assert.equal(outcome.last, right, 'different result after indexing');
    const again = await openAndSearch(dataDir, () => {});
    assert.equal(again.last, right, 'different result when used again');
    // Data in memory hid the damage until now.
    if (late) outcome.notes.push(...again.notes);
    else assert.deepEqual(again.notes, [], 'still damaged');
  } catch (error) {
    // The damage hit the schema version, and nothing that is checked before it.
    if (error instanceof LocusError && /newer version of Locus/.test(error.message)) return 'newer';
    throw error;
  }
  const { notes, first } = outcome;
  if (notes.length > 0) {
    assert.match(notes[0], /damaged/);
    return 'rebuilt';
  }
  if (first === null) return 'incomplete';
  assert.equal(first, right, 'different result without a note');
  return 'right';
}

/** Returns all content of a store's only snapshot, or null if it is not complete. @throws `Damage` and SQLite's errors */
function readAll(store: Store): string | null {
  const snapshot = store.snapshots.open(null);
  const name = getModelKey(model.id, model.version);
  const index = store.read(() => RepositoryIndex.load(store, snapshot, name, model.dimensions));
  const { complete } = store.snapshots.getState(snapshot);
  // A damaged end of the log counts as not written, and history comes last.
  if (!complete || index.vectors.size < index.liveCount || !index.history) return null;
  const { versions, edges, history, embeddings } = store;
  const files = store.snapshots.getFiles(snapshot);
  const told = files.map(({ path, hash, versionId }) => {
    assert.equal(versions.find(path, hash, files[0].parser), versionId);
    const chunks = versions.getChunks(versionId).map((chunk) => ({
      chunk,
      text: versions.getChunkText(chunk.id),
      head: versions.getChunkText(chunk.id).text.slice(0, 40),
      edges: edges.getCallees(snapshot, chunk.id),
      slot: index.getSlot(chunk.id),
    }));
    return {
      path,
      hash,
      chunks,
      facts: versions.getFacts(versionId),
      references: versions.getReferences(versionId),
      content: versions.getContent(versionId),
    };
  });
  const rows = embeddings.readAll(snapshot, { key: name, dimensions: model.dimensions });
  const vectors = rows
    .map(({ chunkId, vector: { scale, numbers } }) => [chunkId, scale, numbers[0], numbers.at(-1)])
    .toArray();
  vectors.sort(([a = 0], [b = 0]) => a - b);
  const counts = [...versions.readTermCounts(snapshot)].map(([, chunks]) =>
    chunks.map((one) => [...one]),
  );
  const terms = Array.from({ length: store.terms.size }, (_, id) => store.terms.termOf(id));
  const all = { told, vectors, counts, terms, history: [...history.readAll(snapshot)] };
  return createHash('sha1').update(JSON.stringify(all)).digest('hex');
}

/** Damages an index and reads all of it. Returns the kind of damage and the verdict. */
function damageAndRead(dataDir: string, wanted: string, draw: () => number): [string, Verdict] {
  const path = copyIndex(dataDir, draw);
  const how = corrupt(path, draw, foreign);
  let store: Store;
  try {
    store = new Store(join(databasePath(dataDir)!, '..'));
  } catch (error) {
    assert.match((error as Error).message, /newer version of Locus/, how);
    return [how, 'newer'];
  }
  try {
    const all = readAll(store);
    if (store.notes.length > 0) return [how, 'rebuilt'];
    if (all === null) return [how, 'incomplete'];
    assert.equal(all, wanted, `${how}: different content without an error`);
    return [how, 'right'];
  } catch (error) {
    const failure = store.explainFailure(error);
    if (!(failure instanceof DamagedIndex)) throw error;
    return [how, 'rebuilt'];
  } finally {
    store.close();
  }
}

test('reading a damaged index returns the stored content or reports the damage', () => {
  const draw = uniform(SEED + 1);
  const intact = temporaryFolder();
  cpSync(closed, intact, { recursive: true });
  const store = new Store(join(databasePath(intact)!, '..'));
  const wanted = readAll(store)!;
  store.close();
  removeFolder(intact);
  const counts: Record<string, number> = {};
  for (let round = 0; round < scaleRounds(40); round++) {
    const dataDir = temporaryFolder();
    try {
      const [how, verdict] = damageAndRead(dataDir, wanted, draw);
      for (const name of [verdict, `${how}: ${verdict}`]) counts[name] = (counts[name] ?? 0) + 1;
    } catch (error) {
      const { message } = error as Error;
      throw new Error(`round ${round} of seed ${SEED}: ${message}`, { cause: error });
    } finally {
      removeFolder(dataDir);
    }
  }
  if (process.env.LOCUS_TORTURE) console.log(counts);
});

test('a damaged index gives the right results, or is rebuilt with a note', async () => {
  const draw = uniform(SEED);
  const counts: Record<string, number> = {};
  for (let round = 0; round < scaleRounds(6); round++) {
    const [file, how, verdict] = await damageAndUse(draw).catch((error) => {
      throw new Error(`round ${round} of seed ${SEED}: ${error.message}`, { cause: error });
    });
    for (const name of [verdict, `${file}: ${verdict}`, `${how}: ${verdict}`])
      counts[name] = (counts[name] ?? 0) + 1;
  }
  if (process.env.LOCUS_TORTURE) console.log(counts);
});
