/**
 * What a ranker learns from: the candidates of an issue with their signals, by the code that serves, and which of
 * them the fix edited.
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findEditedChunks, findEdits, groupHunks } from '../../src/base/edited-chunks.ts';
import {
  type Candidates,
  createEncoder,
  type Encoder,
  encodeIssue,
  gatherCandidates,
  getIssueSyntaxes,
  getModelKey,
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
import { DEFAULT_MODEL, MODELS_FOLDER } from '../../src/services/models.ts';
import { openRepository } from '../../src/services/open-repository.ts';

/** The candidates of one search. */
export interface Sample {
  instance: string;
  repo: string;
  /** Values of each of `SIGNALS`, by candidate; NaN where there is none. */
  values: Float32Array[];
  /** The same standardised; 0 where there is none. */
  columns: Float32Array[];
  /** How many chunks might have been found. */
  considered: number;
  slots: number[];
  /** 1 what was edited and is to be found, 0 what was not, -1 what the user knows already. */
  labels: Int8Array;
  /** By candidate; null for what `locus eval` does not count: modules, tests, examples, docs. */
  places: (ChunkIdentity | null)[];
  /** What is to be found, whether among the candidates or not. */
  edited: ChunkIdentity[];
}

/** An instance's snapshot, loaded, with what its fix edits. */
export interface Snapshot {
  instance: EvaluationInstance;
  index: RepositoryIndex;
  /** What the index's embeddings are of. */
  encoder: Encoder;
  queryVectors: QueryVectors;
  /** Slots. */
  edited: number[];
  /** What the index is read from, terms and texts as they are asked for: closed once the next snapshot is asked for. */
  store: Store;
}

export interface SnapshotOptions {
  repos: string;
  dataDir?: string;
}

/** Snapshots of the instances in turn; those without a clone or without an edited chunk are left out. */
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
        ? await snapshotOf(instance, root, options.dataDir, manifest, encoder)
        : null;
      if (!snapshot) {
        console.error(`${instance.instance_id}: left out`);
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

async function snapshotOf(
  instance: EvaluationInstance,
  root: string,
  dataDir: string | undefined,
  { id, version, dimensions }: ModelManifest,
  encoder: Encoder,
): Promise<Snapshot | null> {
  const load = () => loaded(instance, root, dataDir, getModelKey(id, version), dimensions);
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
    // A clone may lack objects; a sample without history would not be like the others.
    console.error(`${instance.instance_id} is left out: it could not be indexed in full`);
    return null;
  }
  const { index, store } = found;
  try {
    const edited = editedSlots(instance.patch, index, store);
    if (edited.length > 0) {
      const issue = readIssue(instance.problem_statement, getIssueSyntaxes(index.getLanguages()));
      const queryVectors = await encodeIssue(encoder, issue);
      return { instance, index, store, edited, encoder, queryVectors };
    }
  } catch (error) {
    store.close();
    throw error;
  }
  store.close();
  return null;
}

/** The index of an instance's commit with its store, open; null where it is not there in full. */
async function loaded(
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

function editedSlots(patch: string, index: RepositoryIndex, store: Store): number[] {
  return [...groupHunks(patch)].flatMap(([path, hunks]) => {
    const file = index.getFile(path);
    if (!file) return [];
    const chunks = file.slots.map((slot) => ({ ...summarizeChunk(index.getChunk(slot)), slot }));
    const edits = findEdits(hunks, store.versions.getContent(file.versionId));
    return [...findEditedChunks(chunks, edits)].filter(isCandidateChunk).map(({ slot }) => slot);
  });
}

/**
 * The candidates of an issue when these chunks are marked; null when nothing can be searched for.
 * @param known slots that the user knows already, so that they are not to be found.
 */
export function sampleOf(
  snapshot: Snapshot,
  marks: MarkedSlots,
  known: readonly number[] = [],
): Sample | null {
  const { instance, index, queryVectors } = snapshot;
  const issue = resolveIssue(
    readIssue(instance.problem_statement, getIssueSyntaxes(index.getLanguages())),
    index,
  );
  const request = { issue: instance.problem_statement };
  const candidates = gatherCandidates(index, issue, queryVectors, request, marks);
  return candidates && sampled(snapshot, candidates, new Set(known));
}

function sampled(
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
    places: slots.map((slot) => (isCandidateChunk(index.getChunk(slot)) ? placeOf(slot) : null)),
    edited: [...wanted].map(placeOf),
  };

  function placeOf(slot: number): ChunkIdentity {
    const { address, path, qualifiedName } = summarizeChunk(index.getChunk(slot));
    return { address, path, qualifiedName };
  }
}
