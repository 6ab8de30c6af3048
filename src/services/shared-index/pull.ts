/** Taking over the nearest published index. */
import {
  type EmbeddingModel,
  getIndexFormat,
  importSnapshot,
  listAncestors,
  type SnapshotImport,
} from '../../engine/index.ts';
import { LocusError } from '../../shared/errors.ts';
import { type PullReport, refusal } from '../../shared/shared-index.ts';
import { VERSION } from '../../shared/version.ts';
import type { ObjectStore } from '../objects/objects.ts';
import { prefixOf } from '../remote/origin.ts';
import { type Entry, manifestKey, readCatalogue, sharedName } from './catalogue.ts';
import type { PublicKey } from './keys.ts';
import { foreign, listUniqueParts, type Manifest, type Part, readManifest } from './manifest.ts';
import { ahead, fetchPart } from './parts.ts';

/** Commits behind the one that is checked out, of which one must be published. */
const MOST_ANCESTORS = 5000;
const MAX_MANIFEST_BYTES = 32 * 2 ** 20;

export interface PullPlace {
  root: string;
  /** What is checked out, or was asked for by name. */
  head: string;
  /** Of the snapshot to fill; null is the working tree. */
  revision: string | null;
  directory: string;
  /** Whose embeddings are wanted. */
  model: EmbeddingModel;
}

export interface PullOptions {
  objects: ObjectStore;
  keys: ReadonlySet<PublicKey>;
  /** Of the repository; by default as its remote `origin` says. */
  name?: string | undefined;
  signal?: AbortSignal | undefined;
  /** See `GetOptions`. */
  onBytes?: ((bytes: number) => void) | undefined;
  /** Called with each part that has come. */
  onPart?: () => void;
  /** See `IndexRunOptions`. */
  onWait?: (() => void) | undefined;
}

/** A manifest that is believed, and how far back its commit is. */
export interface Nearest {
  manifest: Manifest;
  behind: number;
}

/**
 * The published index of the nearest ancestor of what is checked out; null where none is.
 * @throws LocusError `bad-objects` where one is that is refused: by another publisher, of another version, or not what it says.
 */
export async function findNearest(
  { root, head }: Pick<PullPlace, 'root' | 'head'>,
  options: PullOptions,
): Promise<Nearest | null> {
  const { objects, keys, name, signal, onBytes } = options;
  const folder = await prefixOf({ root });
  const listed = name ?? (await sharedName(root));
  const { entries } = await readCatalogue(objects, listed, { signal, onBytes });
  const ofFolder = entries.filter((entry) => entry.folder === folder);
  if (ofFolder.length === 0) return null;
  const ancestors = await listAncestors(root, head, MOST_ANCESTORS, signal);
  const distance = new Map(ancestors.map((commit, i) => [commit, i]));
  const near = ofFolder
    .flatMap((entry) => {
      const behind = distance.get(entry.commit);
      return behind === undefined ? [] : { entry, behind };
    })
    .sort((a, b) => a.behind - b.behind);
  const [first] = near;
  if (!first) return null;
  const format = await getIndexFormat();
  const usable = near.find(({ entry }) => keys.has(entry.key) && entry.engine === format);
  if (!usable) throw unusable(first.entry, keys);
  return { manifest: await manifestOf(usable.entry, options), behind: usable.behind };
}

async function manifestOf(
  { manifest: digest, commit, folder, engine }: Entry,
  { objects, keys, signal, onBytes }: PullOptions,
): Promise<Manifest> {
  const limits = { maxBytes: MAX_MANIFEST_BYTES, signal, onBytes };
  const stored = await objects.get(manifestKey(digest), limits);
  if (!stored) throw refusal('its manifest is missing');
  const manifest = readManifest(stored.bytes, digest, keys);
  // The list of what is published is nobody's word.
  if (manifest.commit !== commit || manifest.folder !== folder || manifest.engine !== engine)
    throw refusal('its manifest is of another commit');
  return manifest;
}

function unusable({ key, version }: Entry, keys: ReadonlySet<PublicKey>): LocusError {
  if (!keys.has(key)) return foreign(key);
  return new LocusError(
    'bad-objects',
    `the shared index was made by another version of Locus (${version}; this is ${VERSION})`,
    'use the version that publishes, or publish with this one; until then it is indexed here',
  );
}

/**
 * Fills the snapshot with what was published; the next indexing run brings it up to date. Files that the store has are kept.
 * @throws LocusError `bad-objects`, `busy`, `cancelled`; what is stored by then is sound, and used by the next run.
 */
export async function pull(
  place: PullPlace,
  { manifest, behind }: Nearest,
  options: PullOptions,
): Promise<PullReport> {
  const { directory, revision, model } = place;
  const { objects, signal, onWait } = options;
  const parts = listUniqueParts(manifest);
  const embeddings = manifest.models.some((known) => isSame(known, model));
  await importSnapshot({ directory, revision, signal, onWait }, manifest, (target) =>
    take(target, manifest, model, options),
  );
  const { commit, files, chunks } = manifest;
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
  const counts = { files, chunks, parts: parts.length, bytes };
  return { commit, behind, from: objects.name, ...counts, embeddings };
}

/** Files of all groups first: calls lead from one to another. */
async function take(
  target: SnapshotImport,
  { groups, models, commits }: Manifest,
  model: EmbeddingModel,
  { objects, signal, onBytes, onPart }: PullOptions,
): Promise<void> {
  const at = models.findIndex((known) => isSame(known, model));
  type Step = [part: Part, put: (bytes: Buffer) => void];
  const steps: Step[] = [
    ...groups.map(({ files }): Step => [files, (bytes) => target.putFiles(bytes)]),
    ...groups.flatMap(({ edges, embeddings }, group): Step[] => {
      const calls: Step = [edges, (bytes) => target.putEdges(group, bytes)];
      const vectors = embeddings[at];
      if (!vectors) return [calls];
      return [calls, [vectors, (bytes) => target.putEmbeddings(group, model, bytes)]];
    }),
    ...commits.map((part): Step => [part, (bytes) => target.putCommits(bytes)]),
  ];
  const bytesOf = ([part]: Step) => part.bytes + part.raw;
  const fetched = ahead(steps, bytesOf, async ([part, put]) => {
    const bytes = await fetchPart(objects, part, { signal, onBytes });
    return () => put(bytes);
  });
  for await (const put of fetched) {
    put();
    onPart?.();
  }
}

const isSame = (one: EmbeddingModel, other: EmbeddingModel): boolean =>
  one.key === other.key && one.dimensions === other.dimensions;
