import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import Sqlite from 'better-sqlite3';
import type { RepositoryIndex } from '../../src/engine/snapshot/repository-index.ts';
import { LocusError } from '../../src/shared/errors.ts';
import { Edits } from '../support/edits.ts';
import { SEED, scaleRounds, uniform } from '../support/effort.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';
import { MemoryTree, makeVector, SmallProcess } from '../support/small-index.ts';
import {
  listSnapshots,
  readStoredChunks,
  readStoredEdges,
  readStoredLinks,
} from '../support/stored-rows.ts';

const SEQUENCES = scaleRounds(30);
const STEPS = 8;

test(`after ${SEQUENCES} sequences of edits by several processes with failures and restarts, the graph equals that of a new index`, async (t) => {
  const folder = temporaryFolder();
  const counts: Record<string, number> = {};
  try {
    for (let n = 0; n < SEQUENCES; n++) {
      const sequence = new Sequence(join(folder, String(n)), SEED + n);
      try {
        await sequence.play(STEPS);
      } catch (error) {
        const told = `LOCUS_SEED=${SEED + n}: ${sequence.told.join('; ')}`;
        throw new Error(`${told}\n${(error as Error).message}`, { cause: error });
      }
      for (const step of sequence.told) {
        const [what] = step.split(' ', 1);
        counts[what] = (counts[what] ?? 0) + 1;
      }
      removeFolder(join(folder, String(n)));
    }
  } finally {
    removeFolder(folder);
  }
  t.diagnostic(JSON.stringify(counts));
});

/** Error of a failed transaction, such as on a full disk. */
class Failed extends Error {}

interface Member {
  process: SmallProcess;
  /** Paths that changed since the process last applied changes. */
  pending: Set<string>;
  /** True if the process has compared the index with all files since it started. */
  caughtUp: boolean;
}

/** Random sequence of edits, and of actions of two processes. */
class Sequence {
  /** Log of the steps so far. */
  readonly told: string[] = [];
  readonly #folder: string;
  readonly #tree = new MemoryTree();
  readonly #uniform: () => number;
  readonly #edits: Edits;
  readonly #members: Member[] = [];
  /** Number of callers with wrong edges in a graph that was marked complete. */
  #healed = 0;

  constructor(folder: string, seed: number) {
    this.#folder = folder;
    this.#uniform = uniform(seed);
    this.#edits = new Edits(this.#tree.files, this.#uniform);
  }

  async play(steps: number): Promise<void> {
    try {
      this.#edits.start();
      for (let n = this.#draw(2); n >= 0; n--) this.#members.push(this.#begin());
      for (let step = 0; step < steps; step++) {
        if (this.#draw(2) === 0) this.#edit();
        await this.#act(this.#draw(this.#members.length));
      }
      for (const member of this.#members) {
        if (!member.caughtUp) await this.#catchUp(member);
        await this.#apply(member);
      }
      await this.#check();
    } finally {
      for (const { process } of this.#members) await process.close();
    }
  }

  #begin(): Member {
    const directory = join(this.#folder, 'index');
    mkdirSync(directory, { recursive: true });
    const process = new SmallProcess(directory, this.#tree, this.#uniform);
    this.#countDifferences(process);
    return { process, pending: new Set(), caughtUp: false };
  }

  /** Makes `healed` count differences: a graph that is resolved in preparation for edits must equal the stored one. */
  #countDifferences({ indexer, store }: SmallProcess): void {
    const prepareUpdates = indexer.prepareUpdates.bind(indexer);
    const replace = store.edges.replace.bind(store.edges);
    let preparing = false;
    indexer.prepareUpdates = async (index, signal) => {
      preparing = true;
      await prepareUpdates(index, signal).finally(() => {
        preparing = false;
      });
    };
    store.edges.replace = (snapshot, callers, edges) => {
      const different = replace(snapshot, callers, edges);
      if (preparing) this.#healed += different.length;
      return different;
    };
  }

  #edit(): void {
    for (let n = this.#draw(3); n >= 0; n--) {
      const paths = this.#edits.edit();
      this.told.push(`edit ${paths.join(' ')}`);
      for (const { pending } of this.#members) for (const path of paths) pending.add(path);
    }
  }

  async #act(at: number): Promise<void> {
    const member = this.#members[at];
    switch (this.#draw(10)) {
      case 0:
        return this.#run(member);
      case 1:
        return this.#restart(at);
      case 2:
        return this.#killAndRestart(at);
      case 3:
        return this.#cancel(member);
      case 4:
        return this.#editDuringPreparation(at);
      case 5:
        return this.#failTransaction(member);
      case 6:
        return this.#rest(member);
      default:
        return this.#follow(member);
    }
  }

  async #run({ process }: Member): Promise<void> {
    this.told.push(`run ${this.#name(process)}`);
    await process.run();
  }

  #follow(member: Member): Promise<void> {
    return member.caughtUp ? this.#apply(member) : this.#catchUp(member);
  }

  async #catchUp(member: Member): Promise<void> {
    this.told.push(`catch-up ${this.#name(member.process)}`);
    member.pending.clear();
    await member.process.run(undefined, true);
    member.caughtUp = true;
    await member.process.following.prepareEdits();
  }

  async #apply({ process, pending }: Member): Promise<void> {
    const paths = new Set(pending);
    pending.clear();
    this.told.push(`apply ${this.#name(process)} ${[...paths].join(' ')}`);
    await process.following.apply({ paths, rescan: false });
  }

  async #restart(at: number): Promise<void> {
    this.told.push(`restart ${at}`);
    await this.#members[at].process.close();
    this.#members[at] = this.#begin();
    // Usually the files have not changed meanwhile.
    if (this.#draw(3) > 0) await this.#catchUp(this.#members[at]);
  }

  /** Makes one of the next transactions fail, after which the process continues. */
  async #failTransaction(member: Member): Promise<void> {
    const { store } = member.process;
    const transaction = store.transaction.bind(store);
    let left = this.#draw(this.#draw(2) === 0 ? 4 : 14);
    this.told.push(`fail ${this.#name(member.process)} in its transaction ${left} of`);
    store.transaction = (work) => {
      if (left-- === 0) throw new Failed();
      return transaction(work);
    };
    await this.#follow(member).catch((error) => {
      if (!(error instanceof Failed)) throw error;
    });
    store.transaction = transaction;
  }

  /** Ends a process before one of its next transactions, and restarts it. */
  async #killAndRestart(at: number): Promise<void> {
    await this.#failTransaction(this.#members[at]);
    await this.#restart(at);
  }

  /** Releases what edits need, as after a while without edits, just when an edit arrives. */
  async #rest(member: Member): Promise<void> {
    this.told.push(`rest ${this.#name(member.process)}`);
    const followed = this.#follow(member);
    for (let turns = this.#draw(30); turns > 0; turns--) await null;
    member.process.indexer.releaseMemory();
    await followed;
  }

  /** Cancels a process at one of the points where it checks for cancellation. */
  async #cancel({ process }: Member): Promise<void> {
    let left = this.#draw(60);
    this.told.push(`cancel ${this.#name(process)} at ${left}`);
    const { signal } = new AbortController();
    Object.defineProperty(signal, 'aborted', { get: () => left-- <= 0 });
    await process.run(signal).catch((error) => {
      if (!(error instanceof LocusError && error.code === 'cancelled')) throw error;
    });
  }

  /** Restarts a process, and edits a file while it prepares for edits. */
  async #editDuringPreparation(at: number): Promise<void> {
    await this.#members[at].process.close();
    const member = this.#begin();
    this.#members[at] = member;
    const { indexer } = member.process;
    const prepareUpdates = indexer.prepareUpdates.bind(indexer);
    let applied: Promise<void> | undefined;
    indexer.prepareUpdates = async (index, signal) => {
      const prepared = prepareUpdates(index, signal);
      for (let turns = this.#draw(30); turns > 0; turns--) await null;
      this.#edit();
      applied = this.#apply(member);
      await prepared;
    };
    await this.#catchUp(member);
    indexer.prepareUpdates = prepareUpdates;
    await applied;
  }

  #name(process: SmallProcess): number {
    return this.#members.findIndex((member) => member.process === process);
  }

  #draw(below: number): number {
    return Math.floor(this.#uniform() * below);
  }

  async #check(): Promise<void> {
    assert.equal(this.#healed, 0, 'wrong edges in a complete graph');
    const fresh = new SmallProcess(join(this.#folder, 'fresh'), this.#tree, this.#uniform);
    await fresh.run();
    const expected = dump(fresh.store.path);
    const inMemory = describeGraph(fresh.snapshot.index);
    await fresh.close();
    assert.deepEqual(dump(this.#members[0].process.store.path), expected, 'the store');
    for (const [at, { process }] of this.#members.entries()) {
      await process.snapshot.runExclusive(undefined, async (index) => {
        assert.deepEqual(describeGraph(index), inMemory, `the memory of process ${at}`);
        assertVectors(index, process.store.path);
      });
    }
  }
}

/** Returns files, edges and keys of embeddings of the working tree, without ids. */
function dump(path: string): Record<string, unknown[]> {
  const database = new Sqlite(path, { readonly: true });
  const rows = (sql: string) => database.prepare(sql).raw().all() as unknown[];
  try {
    return {
      snapshot: rows('SELECT graph_dirty, complete FROM snapshots'),
      files: rows(
        'SELECT s.path, v.hash FROM snapshot_files s JOIN file_versions v ON v.id = s.version_id ORDER BY 1',
      ),
      ...dumpGraph(database),
    };
  } finally {
    database.close();
  }
}

function dumpGraph(database: Sqlite.Database): { edges: string[]; embeddings: string[] } {
  const [snapshot] = listSnapshots(database);
  const chunks = readStoredChunks(database, snapshot!);
  const name = (id: number) => {
    const { path, qualifiedName, ordinal, fileHash } = chunks.get(id)!;
    return `${path}::${qualifiedName}#${ordinal}@${fileHash}`;
  };
  const edges = readStoredEdges(database, snapshot!).map(
    ({ caller, callee, ...edge }) => `${name(caller)} ${name(callee)} ${JSON.stringify(edge)}`,
  );
  const embeddings = readStoredLinks(database, snapshot!).map(
    ({ chunkId, key }) => `${name(chunkId)} ${key}`,
  );
  return { edges: edges.sort(), embeddings: embeddings.sort() };
}

/** Describes the graph in memory without slots. */
function describeGraph(index: RepositoryIndex): string[] {
  const name = (slot: number) => {
    const { path, qualifiedName, ordinal } = index.getChunk(slot);
    return `${path}::${qualifiedName}#${ordinal}`;
  };
  return [...index.chunks]
    .flatMap((chunk, slot) => {
      if (!chunk) return [];
      const callees = index.getCallees(slot).map((to) => `${name(to.slot)} ${to.kind} ${to.guess}`);
      const callers = index.getCallers(slot).map((from) => `${name(from.slot)} ${from.kind}`);
      return `${name(slot)} -> ${callees.join(', ')} <- ${callers.sort().join(', ')}`;
    })
    .sort();
}

/** Asserts that every chunk in memory has its stored embedding. */
function assertVectors(index: RepositoryIndex, path: string): void {
  const database = new Sqlite(path, { readonly: true });
  const rows = listSnapshots(database).flatMap((id) => readStoredLinks(database, id));
  database.close();
  assert.equal(index.vectors.size, rows.length);
  assert.equal(index.liveCount, rows.length);
  for (const { chunkId: chunk, key } of rows) {
    const vector = index.vectors.getVector(index.getSlot(chunk)!)!;
    const cosine = makeVector(key).reduce((sum, x, i) => sum + x * vector[i], 0);
    assert.ok(cosine > 0.999, `the embedding of chunk ${chunk} is that of key ${key}`);
  }
}
