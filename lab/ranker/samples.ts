/**
 * Makes the samples that a ranker learns from: the candidates of an issue with their signals, computed by the code that
 * serves searches, and which of them the fix edited.
 */

import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { findEditedChunks, findEdits, groupHunks } from '../../src/base/edited-chunks.ts';
import {
  type Candidates,
  createEncoder,
  type Encoder,
  encodeIssue,
  followHistory,
  gatherCandidates,
  getIssueSyntaxes,
  getModelKey,
  type Issue,
  loadManifest,
  type MarkedSlots,
  type ModelManifest,
  measureSignals,
  openTree,
  type QueryVectors,
  RepositoryIndex,
  readIssue,
  resolveIssue,
  Store,
  standardize,
  summarizeChunk,
} from '../../src/engine/lab.ts';
import { type EvaluationInstance, getCloneName } from '../../src/services/evaluation/dataset.ts';
import { COMMITS_KEPT, isCandidateChunk } from '../../src/services/evaluation/evaluate.ts';
import type { ChunkIdentity } from '../../src/services/evaluation/metrics.ts';
import { getDataDirectory, getIndexFolder } from '../../src/services/locations.ts';
import { DEFAULT_MODEL } from '../../src/services/models.ts';
import { MODELS_FOLDER } from '../../src/services/models-folder.ts';
import { openRepository } from '../../src/services/open-repository.ts';

/** The candidates of one search. */
export interface Sample {
  instance: string;
  repo: string;
  /** Values of each of `SIGNALS`, by candidate; NaN if missing. */
  values: Float32Array[];
  /** The same, standardized; 0 if missing. */
  columns: Float32Array[];
  /** Number of chunks that were searched. */
  considered: number;
  slots: number[];
  /** 1: edited and to be found; 0: not edited; -1: already known to the user. */
  labels: Int8Array;
  /** Identity of each candidate; null for those that `locus eval` does not count: module code, tests, examples, docs. */
  places: (ChunkIdentity | null)[];
  /** Chunks to be found, including those that are not among the candidates. */
  edited: ChunkIdentity[];
}

/** A loaded snapshot of an instance, with the chunks that its fix edits. */
export interface Snapshot {
  instance: EvaluationInstance;
  index: RepositoryIndex;
  /** Encoder that made the embeddings of the index. */
  encoder: Encoder;
  queryVectors: QueryVectors;
  /** The issue, with the commits that it names looked up. */
  read: Issue;
  /** Slots of the edited chunks. */
  edited: number[];
  /** Store of the index, from which terms and texts are read on demand. It is closed when the next snapshot is requested. */
  store: Store;
}

export interface SnapshotOptions {
  repos: string;
  dataDir?: string;
}

/** Yields the snapshots of the instances in order. Skips instances without a clone or without an edited chunk. */
export async function* snapshots(
  instances: readonly EvaluationInstance[],
  options: SnapshotOptions,
): AsyncGenerator<Snapshot> {
  const modelFolder = join(MODELS_FOLDER, DEFAULT_MODEL);
  const manifest = await loadManifest(modelFolder);
  const encoder = await createEncoder({ modelFolder, device: 'cpu' });
  try {
    for (const instance of instances) {
      const root = join(options.repos, getCloneName(instance.repo));
      const snapshot = existsSync(root)
        ? await openSnapshot(instance, root, options.dataDir, manifest, encoder)
        : null;
      if (!snapshot) {
        console.error(`${instance.instance_id}: skipped, it has no clone or no edited chunk`);
        continue;
      }
      try {
        yield snapshot;
      } finally {
        snapshot.store.close();
      }
    }
  } finally {
    await encoder.close();
  }
}

async function openSnapshot(
  instance: EvaluationInstance,
  root: string,
  dataDir: string | undefined,
  { id, version, dimensions }: ModelManifest,
  encoder: Encoder,
): Promise<Snapshot | null> {
  const load = () => loadIndex(instance, root, dataDir, getModelKey(id, version), dimensions);
  let found = await load();
  if (!found) {
    const repository = await openRepository(root, {
      dataDir,
      revision: instance.base_commit,
      device: 'cpu',
      commitsKept: COMMITS_KEPT,
    });
    await repository.index();
    await repository.close();
    found = await load();
  }
  if (!found) {
    // A clone may lack objects. A sample without history is not comparable with the others.
    console.error(`${instance.instance_id}: skipped, its commit could not be indexed completely`);
    return null;
  }
  const { index, store } = found;
  try {
    const edited = findEditedSlots(instance.patch, index, store);
    if (edited.length > 0) {
      const read = await readAt(instance, index, root);
      const queryVectors = await encodeIssue(encoder, read);
      return { instance, index, store, edited, encoder, queryVectors, read };
    }
  } catch (error) {
    store.close();
    throw error;
  }
  store.close();
  return null;
}

/** Reads an issue, and looks up the commits that it names. */
async function readAt(
  { problem_statement: text, repo, base_commit: revision }: EvaluationInstance,
  index: RepositoryIndex,
  root: string,
): Promise<Issue> {
  const tree = await openTree(root, { revision });
  try {
    const issue = readIssue(text, getIssueSyntaxes(index.getLanguages()));
    return await followHistory(issue, index, tree, undefined, basename(repo));
  } finally {
    await tree.close();
  }
}

/** Opens the index of an instance's commit with its store; returns null if it is incomplete. */
async function loadIndex(
  { base_commit: revision }: EvaluationInstance,
  root: string,
  dataDir: string | undefined,
  model: string,
  dimensions: number,
): Promise<{ index: RepositoryIndex; store: Store } | null> {
  const tree = await openTree(root, { revision });
  await tree.close();
  const store = new Store(getIndexFolder(getDataDirectory(dataDir), tree.root));
  try {
    const snapshot = store.snapshots.open(tree.revision);
    const index = RepositoryIndex.load(store, snapshot, model, dimensions);
    const { complete } = store.snapshots.getState(snapshot);
    if (
      complete &&
      store.history.getLinkedState(snapshot) &&
      index.vectors.size === index.liveCount
    )
      return { index, store };
  } catch (error) {
    store.close();
    throw error;
  }
  store.close();
  return null;
}

function findEditedSlots(patch: string, index: RepositoryIndex, store: Store): number[] {
  return [...groupHunks(patch)].flatMap(([path, hunks]) => {
    const file = index.getFile(path);
    if (!file) return [];
    const chunks = file.slots.map((slot) => ({ ...summarizeChunk(index.getChunk(slot)), slot }));
    const edits = findEdits(hunks, store.versions.getContent(file.versionId));
    return [...findEditedChunks(chunks, edits)].filter(isCandidateChunk).map(({ slot }) => slot);
  });
}

/**
 * Returns the candidates of an issue when these chunks are marked; null if the issue has nothing to search for.
 * @param known slots that the user already knows, which the search need not find
 */
export function makeSample(
  snapshot: Snapshot,
  marks: MarkedSlots,
  known: readonly number[] = [],
): Sample | null {
  const { instance, index, queryVectors, read } = snapshot;
  const issue = resolveIssue(read, index);
  const request = { issue: instance.problem_statement };
  const candidates = gatherCandidates(index, issue, queryVectors, request, marks);
  return candidates && labelCandidates(snapshot, candidates, new Set(known));
}

function labelCandidates(
  { instance, index, edited }: Snapshot,
  candidates: Candidates,
  known: ReadonlySet<number>,
): Sample {
  const { slots } = candidates;
  const wanted = new Set(edited.filter((slot) => !known.has(slot)));
  const measured = measureSignals(candidates);
  return {
    instance: instance.instance_id,
    repo: instance.repo,
    slots,
    values: measured.map(({ values }) => Float32Array.from(values)),
    columns: measured.map(({ values }) => Float32Array.from(standardize(values, 1))),
    considered: candidates.considered,
    labels: Int8Array.from(slots, (slot) => (known.has(slot) ? -1 : wanted.has(slot) ? 1 : 0)),
    places: slots.map((slot) =>
      isCandidateChunk(index.getChunk(slot)) ? identifyChunk(slot) : null,
    ),
    edited: [...wanted].map(identifyChunk),
  };

  function identifyChunk(slot: number): ChunkIdentity {
    const { address, path, qualifiedName } = summarizeChunk(index.getChunk(slot));
    return { address, path, qualifiedName };
  }
}
