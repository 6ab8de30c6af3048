/**
 * Which commits of a repository are published: one object a repository, which every publisher adds to. Nothing in it is
 * trusted: it only says where to look.
 */

import { hash } from 'node:crypto';
import { basename } from 'node:path';
import { z } from 'zod';
import { parseBounded } from '../../base/json.ts';
import { retry } from '../../base/retry.ts';
import { remoteName } from '../../shared/remote-url.ts';
import { type GetOptions, type ObjectStore, objectFailure } from '../objects/objects.ts';
import { readOrigin } from '../remote/origin.ts';
import { commitId } from './manifest.ts';

/** The newest that are listed. */
const MOST_ENTRIES = 2000;
const MAX_BYTES = 4 * 2 ** 20;
const LIMITS = { maxDepth: 8, maxContainers: 100_000, maxValues: 1_000_000 };
const ATTEMPTS = 30;

const entry = z.object({
  commit: commitId,
  folder: z.string().max(4096),
  engine: z.string().max(200),
  /** Of Locus, for people. */
  version: z.string().max(50),
  key: z.string().max(100),
  /** Digest of the signed manifest. */
  manifest: z.string().regex(/^[0-9a-f]{64}$/),
});

export type Entry = z.infer<typeof entry>;

const catalogue = z.object({
  entries: z.array(z.unknown()).max(2 * MOST_ENTRIES),
  /** Another one each time, so that what was written before is never taken for what is there now. */
  written: z.string().max(100).default(''),
});

/** Prefix of all keys in this layout. */
const ROOT = 'locus-index-1';

export const manifestKey = (digest: string): string => `${ROOT}/manifests/${digest}`;
export const partKey = (digest: string): string => `${ROOT}/parts/${digest.slice(0, 2)}/${digest}`;

/**
 * The name by which a repository is looked up: that of its remote `origin`, which is the same on every machine, else its folder's. Two
 * of one name do no harm: commits tell them apart.
 */
export async function sharedName(root: string): Promise<string> {
  const origin = await readOrigin({ root });
  return origin ? remoteName(origin.remote) : basename(root);
}

/** @param name of the repository, in any case: clones of one repository have addresses that differ in it. */
export const catalogueKey = (name: string): string =>
  `${ROOT}/repositories/${hash('sha256', name.toLowerCase()).slice(0, 40)}.json`;

/**
 * Returns the entries, newest first; none if nothing was published. Entries that this version cannot read are skipped.
 * @throws LocusError `bad-objects` if there is something else in place of the list.
 */
export async function readCatalogue(
  objects: ObjectStore,
  name: string,
  options: Pick<GetOptions, 'signal' | 'onBytes'> = {},
): Promise<{ entries: Entry[]; tag: string | null }> {
  const key = catalogueKey(name);
  const stored = await objects.get(key, { ...options, maxBytes: MAX_BYTES });
  if (!stored) return { entries: [], tag: null };
  const parsed = catalogue.safeParse(parseBounded(stored.bytes, LIMITS));
  if (!parsed.success)
    throw objectFailure(
      `${key} in ${objects.name} is not a list of what is published.`,
      'Check the address and who writes there. If it is damaged, remove it and publish again.',
    );
  const entries = parsed.data.entries.flatMap((one) => entry.safeParse(one).data ?? []);
  return { entries, tag: stored.tag };
}

/**
 * Puts an entry first. Where another publisher was faster, it is added to what that one wrote.
 * @throws LocusError `bad-objects`, after many attempts too.
 */
export async function addToCatalogue(
  objects: ObjectStore,
  name: string,
  added: Entry,
  signal?: AbortSignal,
): Promise<void> {
  const conflict = objectFailure(
    `Other publishers keep writing the list of what is published in ${objects.name}.`,
    'Publish again. What was sent is not sent again.',
  );
  const add = async () => {
    const { entries, tag } = await readCatalogue(objects, name, { signal });
    if (entries.some((known) => isSame(known, added))) return;
    const all = [added, ...entries.filter((known) => !replaces(added, known))];
    const content = { entries: all.slice(0, MOST_ENTRIES), written: crypto.randomUUID() };
    const bytes = Buffer.from(JSON.stringify(content));
    if (!(await objects.put(catalogueKey(name), bytes, tag, signal))) throw conflict;
  };
  await retry(add, {
    attempts: ATTEMPTS,
    delays: (failures) => 20 + Math.random() * 100 * failures,
    signal,
    name: 'Publishing',
    shouldRetry: (error) => error === conflict,
  });
}

const FIELDS = ['commit', 'folder', 'engine', 'key'] as const;

const replaces = (one: Entry, other: Entry) => FIELDS.every((field) => one[field] === other[field]);
const isSame = (one: Entry, other: Entry) =>
  replaces(one, other) && one.manifest === other.manifest;
