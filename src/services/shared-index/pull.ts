/** Finds and imports the nearest published index. */
import {
  type EmbeddingModel,
  getIndexFormat,
  importSnapshot,
  listAncestors,
  type SnapshotImport,
} from '../../engine/index.ts';
import { LocusError } from '../../shared/errors.ts';
import { type PullReport, sharedIndexError } from '../../shared/shared-index.ts';
import { VERSION } from '../../shared/version.ts';
import type { ObjectStore } from '../objects/objects.ts';
import { readPrefix } from '../remote/origin.ts';
import { findSharedName, getManifestKey, type PublishedEntry, readCatalog } from './catalog.ts';
import type { PublicKey } from './keys.ts';
import {
  type ArchivePart,
  createUntrustedError,
  type IndexManifest,
  listUniqueParts,
  verifyManifest,
} from './manifest.ts';
import { fetchPart, mapAhead } from './parts.ts';

/** Maximum number of commits between the current commit and a published one. */
const MAX_ANCESTORS = 5000;
const MAX_MANIFEST_BYTES = 32 * 2 ** 20;

export interface PullTarget {
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
  onWait?: ((writer: number | null) => void) | undefined;
}

/** A verified manifest, and how many commits behind it is. */
export interface NearestIndex {
  manifest: IndexManifest;
  behind: number;
}

/**
 * Finds the published index of the nearest ancestor of the current commit; null if none exists.
 * @throws LocusError `bad-objects` if an index is rejected: from an untrusted publisher, of another version, or damaged
 */
export async function findNearestIndex(
  { root, head }: Pick<PullTarget, 'root' | 'head'>,
  options: PullOptions,
): Promise<NearestIndex | null> {
  const { objects, keys, name, signal, onBytes } = options;
  const folder = await readPrefix({ root });
  const listed = name ?? (await findSharedName(root));
  const { entries } = await readCatalog(objects, listed, { signal, onBytes });
  const ofFolder = entries.filter((entry) => entry.folder === folder);
  if (ofFolder.length === 0) return null;
  const ancestors = await listAncestors(root, head, MAX_ANCESTORS, signal);
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
  { manifest: digest, commit, folder, engine }: PublishedEntry,
  { objects, keys, signal, onBytes }: PullOptions,
): Promise<IndexManifest> {
  const limits = { maxBytes: MAX_MANIFEST_BYTES, signal, onBytes };
  const stored = await objects.get(getManifestKey(digest), limits);
  if (!stored) throw sharedIndexError('its manifest is missing');
  const manifest = verifyManifest(stored.bytes, digest, keys);
  // The catalog is not trusted, so the signed manifest has to agree with it.
  if (manifest.commit !== commit || manifest.folder !== folder || manifest.engine !== engine)
    throw sharedIndexError('its manifest belongs to another commit');
  return manifest;
}

function createUnusableError(
  { key, version }: PublishedEntry,
  keys: ReadonlySet<PublicKey>,
): LocusError {
  if (!keys.has(key)) return createUntrustedError(key);
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
export async function pullIndex(
  place: PullTarget,
  { manifest, behind }: NearestIndex,
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
  { groups, models, commits }: IndexManifest,
  model: EmbeddingModel,
  { objects, signal, onBytes, onPart }: PullOptions,
): Promise<void> {
  const at = models.findIndex((known) => isSame(known, model));
  type Step = [part: ArchivePart, put: (bytes: Buffer) => void];
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
  const fetched = mapAhead(steps, bytesOf, async ([part, put]) => {
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
