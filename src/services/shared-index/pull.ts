/** Finds and imports the nearest published index. */
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

/** Maximum number of commits between the current commit and a published one. */
const MOST_ANCESTORS = 5000;
const MAX_MANIFEST_BYTES = 32 * 2 ** 20;

export interface PullPlace {
  root: string;
  /** Commit that is checked out, or that was requested by name. */
  head: string;
  /** Snapshot to fill: a commit, or null for the working tree. */
  revision: string | null;
  directory: string;
  /** Model whose embeddings are wanted. */
  model: EmbeddingModel;
}

export interface PullOptions {
  objects: ObjectStore;
  keys: ReadonlySet<PublicKey>;
  /** Name of the repository; by default from its remote `origin`. */
  name?: string | undefined;
  signal?: AbortSignal | undefined;
  /** See `GetOptions`. */
  onBytes?: ((bytes: number) => void) | undefined;
  /** Called with each part that arrived. */
  onPart?: () => void;
  /** See `IndexRunOptions`. */
  onWait?: (() => void) | undefined;
}

/** A verified manifest, and how many commits behind it is. */
export interface Nearest {
  manifest: Manifest;
  behind: number;
}

/**
 * Finds the published index of the nearest ancestor of the current commit; null if there is none.
 * @throws LocusError `bad-objects` if an index is rejected: from an untrusted publisher, of another version, or damaged
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
  if (!usable) throw createUnusableError(first.entry, keys);
  return { manifest: await fetchManifest(usable.entry, options), behind: usable.behind };
}

async function fetchManifest(
  { manifest: digest, commit, folder, engine }: Entry,
  { objects, keys, signal, onBytes }: PullOptions,
): Promise<Manifest> {
  const limits = { maxBytes: MAX_MANIFEST_BYTES, signal, onBytes };
  const stored = await objects.get(manifestKey(digest), limits);
  if (!stored) throw refusal('its manifest is missing');
  const manifest = readManifest(stored.bytes, digest, keys);
  // The catalog is not trusted, so the signed manifest has to agree with it.
  if (manifest.commit !== commit || manifest.folder !== folder || manifest.engine !== engine)
    throw refusal('its manifest belongs to another commit');
  return manifest;
}

function createUnusableError({ key, version }: Entry, keys: ReadonlySet<PublicKey>): LocusError {
  if (!keys.has(key)) return foreign(key);
  return new LocusError(
    'bad-objects',
    `The shared index was created by another version of Locus (${version}; this is ${VERSION}).`,
    'Use the version that publishes, or publish with this one. Until then, everything is indexed here.',
  );
}

/**
 * Fills a snapshot with a published index. Files that are stored already are kept, and the next indexing run completes the rest.
 * @throws LocusError `bad-objects`, `busy`, `cancelled`; what was stored until then is valid and used by the next run
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
    importParts(target, manifest, model, options),
  );
  const { commit, files, chunks } = manifest;
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
  const counts = { files, chunks, parts: parts.length, bytes };
  return { commit, behind, from: objects.name, ...counts, embeddings };
}

/** Imports all files first, because calls lead from one group to another. */
async function importParts(
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
