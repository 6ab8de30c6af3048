/**
 * The catalog of a repository: one object that lists its published commits, which every publisher adds to. Nothing in it is trusted: it
 * only says where to look.
 */

import { hash } from 'node:crypto';
import { basename } from 'node:path';
import { z } from 'zod';
import { parseBounded } from '../../base/json.ts';
import { retry } from '../../base/retry.ts';
import { formatRemoteName } from '../../shared/remote-url.ts';
import { createObjectError, type GetOptions, type ObjectStore } from '../objects/objects.ts';
import { readOrigin } from '../remote/origin.ts';
import { commitId } from './manifest.ts';

/** Maximum number of entries, newest first. */
const MAX_ENTRIES = 2000;
const MAX_CATALOG_BYTES = 4 * 2 ** 20;
const LIMITS = { maxDepth: 8, maxContainers: 100_000, maxValues: 1_000_000 };
const MAX_ATTEMPTS = 30;

const entry = z.object({
  commit: commitId,
  folder: z.string().max(4096),
  engine: z.string().max(200),
  /** Version of Locus, for people. */
  version: z.string().max(50),
  key: z.string().max(100),
  /** Digest of the signed manifest. */
  manifest: z.string().regex(/^[0-9a-f]{64}$/),
});

export type PublishedEntry = z.infer<typeof entry>;

const catalog = z.object({
  entries: z.array(z.unknown()).max(2 * MAX_ENTRIES),
  /** Random value, so that no two versions of the catalog have the same tag. */
  written: z.string().max(100).default(''),
});

/** Prefix of all keys in this layout. */
const ROOT = 'locus-index-1';

export const getManifestKey = (digest: string): string => `${ROOT}/manifests/${digest}`;
export const getPartKey = (digest: string): string =>
  `${ROOT}/parts/${digest.slice(0, 2)}/${digest}`;

/**
 * Returns the name by which a repository is looked up: its remote `origin`, which is the same on every machine, or its folder. Two
 * repositories may share a name, because their commits differ.
 */
export async function findSharedName(root: string): Promise<string> {
  const origin = await readOrigin({ root });
  return origin ? formatRemoteName(origin.remote) : basename(root);
}

/** Returns the key of a catalog. Case does not matter, since clones of one repository may have URLs that differ in it. */
export const getCatalogKey = (name: string): string =>
  `${ROOT}/repositories/${hash('sha256', name.toLowerCase()).slice(0, 40)}.json`;

/**
 * Reads the entries, newest first; none if nothing was published. Entries that this version cannot read are skipped.
 * @throws LocusError `bad-objects` if the object at the catalog's key is something else
 */
export async function readCatalog(
  objects: ObjectStore,
  name: string,
  options: Pick<GetOptions, 'signal' | 'onBytes'> = {},
): Promise<{ entries: PublishedEntry[]; tag: string | null }> {
  const key = getCatalogKey(name);
  const stored = await objects.get(key, { ...options, maxBytes: MAX_CATALOG_BYTES });
  if (!stored) return { entries: [], tag: null };
  const parsed = catalog.safeParse(parseBounded(stored.bytes, LIMITS));
  if (!parsed.success)
    throw createObjectError(
      `${key} in ${objects.name} is not a catalog of published indexes.`,
      'Check the address and who writes there. If the catalog is damaged, remove it and publish again.',
    );
  const entries = parsed.data.entries.flatMap((one) => entry.safeParse(one).data ?? []);
  return { entries, tag: stored.tag };
}

/**
 * Adds an entry at the start. If another publisher wrote at the same time, adds it to the new content.
 * @throws LocusError `bad-objects`, also after too many attempts
 */
export async function addToCatalog(
  objects: ObjectStore,
  name: string,
  added: PublishedEntry,
  signal?: AbortSignal,
): Promise<void> {
  const conflict = createObjectError(
    `Other publishers keep writing the catalog in ${objects.name}.`,
    'Publish again. Parts that were sent are not sent again.',
  );
  const add = async () => {
    const { entries, tag } = await readCatalog(objects, name, { signal });
    if (entries.some((known) => isSame(known, added))) return;
    const all = [added, ...entries.filter((known) => !replaces(added, known))];
    const content = { entries: all.slice(0, MAX_ENTRIES), written: crypto.randomUUID() };
    const bytes = Buffer.from(JSON.stringify(content));
    if (!(await objects.put(getCatalogKey(name), bytes, tag, signal))) throw conflict;
  };
  await retry(add, {
    attempts: MAX_ATTEMPTS,
    delays: (failures) => 20 + Math.random() * 100 * failures,
    signal,
    name: 'Publishing',
    shouldRetry: (error) => error === conflict,
  });
}

const FIELDS = ['commit', 'folder', 'engine', 'key'] as const;

const replaces = (one: PublishedEntry, other: PublishedEntry) =>
  FIELDS.every((field) => one[field] === other[field]);
const isSame = (one: PublishedEntry, other: PublishedEntry) =>
  replaces(one, other) && one.manifest === other.manifest;
