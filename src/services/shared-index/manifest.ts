/** The manifest of a published index: its parts and counts, signed by the publisher. */

import { hash } from 'node:crypto';
import { z } from 'zod';
import { boundedList } from '../../base/bounded-json.ts';
import { parseBounded } from '../../base/json.ts';
import { getEmbeddingBytes } from '../../engine/index.ts';
import { LocusError } from '../../shared/errors.ts';
import { MAX_PART_BYTES, sharedIndexError } from '../../shared/shared-index.ts';
import { MAX_OBJECT_BYTES } from '../objects/objects.ts';
import { isPublicKey, isSignatureValid, type PublicKey, type Publisher } from './keys.ts';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
export const commitId = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/);

const part = z.strictObject({
  sha256,
  /** Size as transferred, compressed with zstd. */
  bytes: z.int().min(1).max(MAX_OBJECT_BYTES),
  /** Size before compression. */
  raw: z.int().min(0).max(MAX_PART_BYTES),
});

/** A part of an index, named by the digest of its compressed bytes. */
export type ArchivePart = z.infer<typeof part>;

/** Several times the largest index that Locus makes, which has 250,000 files and 1 GiB of sources. */
const MAX_FILES = 250_000;
const MAX_CHUNKS = 20_000_000;
const MAX_EDGES = 200_000_000;
const MAX_RAW_BYTES = 32 * 2 ** 30;

const LIMITS = { maxDepth: 8, maxContainers: 2_000_000, maxValues: 8_000_000 };
const rule = z.strictObject({
  folder: z.string().max(4096),
  pattern: z.string().max(4096),
  vendored: z.union([z.boolean(), z.null()]).optional(),
  generated: z.union([z.boolean(), z.null()]).optional(),
});

const manifest = z.strictObject({
  /** See `portable/version.ts`. */
  engine: z.string().max(200),
  commit: commitId,
  /** Path of the folder in the repository, with a trailing slash; empty for the whole repository. */
  folder: z.string().max(4096),
  files: z.int().min(0).max(MAX_FILES),
  chunks: z.int().min(0).max(MAX_CHUNKS),
  edges: z.int().min(0).max(MAX_EDGES),
  models: z
    .array(z.strictObject({ key: z.string().max(200), dimensions: z.int().min(1).max(8192) }))
    .max(20),
  /** Groups of nearby files, each with the edges that leave them, and one part of embeddings for each of `models`, in that order. */
  groups: boundedList(
    z.strictObject({ files: part, edges: part, embeddings: boundedList(part, 20) }),
    MAX_FILES,
  ),
  commits: boundedList(part, 10_000),
  attributes: boundedList(rule, 1000),
});

export type IndexManifest = z.infer<typeof manifest>;

const MAGIC = 'locus-index 1';

/** Signs and writes a manifest: a line each for the format, the key and the signature, then the content. The signature covers format and content. */
export function signManifest(content: IndexManifest, publisher: Publisher): Buffer {
  const payload = Buffer.from(JSON.stringify(manifest.parse(content)));
  const signature = publisher.sign(getSignedBytes(payload)).toString('base64');
  return Buffer.concat([Buffer.from(`${MAGIC}\n${publisher.key}\n${signature}\n`), payload]);
}

/**
 * Verifies and parses a manifest. Checks the digest, the key, the signature and the content, in this order.
 * @param pinned keys that are trusted
 * @throws LocusError `bad-objects`
 */
export function verifyManifest(
  bytes: Buffer,
  digest: string,
  pinned: ReadonlySet<PublicKey>,
): IndexManifest {
  if (computeDigest(bytes) !== digest) throw createDamagedError(`the manifest ${digest}`);
  const [key, signature, payload] = splitSigned(bytes);
  if (!pinned.has(key)) throw createUntrustedError(key);
  if (!isSignatureValid(getSignedBytes(payload), Buffer.from(signature, 'base64'), key))
    throw sharedIndexError('its manifest has an invalid signature');
  const parsed = manifest.safeParse(parseBounded(payload, LIMITS));
  if (!parsed.success)
    throw sharedIndexError(
      `its manifest is invalid (${z.prettifyError(parsed.error).slice(0, 200)})`,
    );
  checkSizes(parsed.data);
  return parsed.data;
}

/** Checks that the sizes of the parts agree with each other and with the counts. @throws LocusError `bad-objects` */
function checkSizes(content: IndexManifest): void {
  const { models, groups, chunks } = content;
  if (groups.some(({ embeddings }) => embeddings.length !== models.length))
    throw sharedIndexError('its manifest has embeddings of an unknown model');
  const sum = (parts: readonly ArchivePart[]) => parts.reduce((total, { raw }) => total + raw, 0);
  for (const [at, model] of models.entries()) {
    const bytes = sum(groups.flatMap(({ embeddings }) => embeddings[at] ?? []));
    if (bytes !== chunks * getEmbeddingBytes(model))
      throw sharedIndexError(`its manifest has the wrong number of embeddings of ${model.key}`);
  }
  const all = listUniqueParts(content);
  const sizes = new Map(all.map(({ sha256, bytes, raw }) => [sha256, `${bytes} ${raw}`]));
  if (listParts(content).some(({ sha256, bytes, raw }) => sizes.get(sha256) !== `${bytes} ${raw}`))
    throw sharedIndexError('its manifest gives two sizes for one part');
  if (sum(all) > MAX_RAW_BYTES)
    throw sharedIndexError('it is larger than any index that Locus makes');
}

export function listUniqueParts(content: IndexManifest): ArchivePart[] {
  return [...new Map(listParts(content).map((one) => [one.sha256, one])).values()];
}

const listParts = ({ groups, commits }: IndexManifest): ArchivePart[] => [
  ...groups.flatMap(({ files, edges, embeddings }) => [files, edges, ...embeddings]),
  ...commits,
];

export const computeDigest = (bytes: Uint8Array): string => hash('sha256', bytes);

const getSignedBytes = (payload: Buffer) => Buffer.concat([Buffer.from(`${MAGIC}\n`), payload]);

function splitSigned(bytes: Buffer): [key: string, signature: string, payload: Buffer] {
  const ends = [0];
  for (let i = 0; i < 3; i++) {
    const end = bytes.indexOf('\n', ends.at(-1));
    if (end < 0 || end > 1000) throw sharedIndexError('its manifest is not signed');
    ends.push(end + 1);
  }
  const line = (i: number) => bytes.toString('latin1', ends[i], (ends[i + 1] ?? 1) - 1);
  if (line(0) !== MAGIC || !isPublicKey(line(1)))
    throw sharedIndexError('its manifest is not signed');
  return [line(1), line(2), bytes.subarray(ends[3])];
}

/** Returns the error for an object that differs from its digest. It has to be removed: one of the right size is not sent again. */
export const createDamagedError = (what: string): LocusError =>
  sharedIndexError(`${what} is damaged`, 'remove it there, then publish again');

export function createUntrustedError(key: PublicKey): LocusError {
  return new LocusError(
    'bad-objects',
    `The shared index was published with the key ${key}, which is not trusted here.`,
    `If you trust that publisher, add the key: --key ${key}.`,
  );
}
