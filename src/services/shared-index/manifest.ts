/** What a published index consists of, signed by who published it. */

import { hash } from 'node:crypto';
import { z } from 'zod';
import { boundedList } from '../../base/bounded-json.ts';
import { parseBounded } from '../../base/json.ts';
import { embeddingBytes } from '../../engine/index.ts';
import { LocusError } from '../../shared/errors.ts';
import { MAX_PART_BYTES, refusal } from '../../shared/shared-index.ts';
import { MAX_OBJECT_BYTES } from '../objects/objects.ts';
import { isPublicKey, isSigned, type PublicKey, type Publisher } from './keys.ts';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
export const commitId = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/);

const part = z.strictObject({
  sha256,
  /** As it is transferred, compressed with zstd. */
  bytes: z.int().min(1).max(MAX_OBJECT_BYTES),
  /** Before it was compressed. */
  raw: z.int().min(0).max(MAX_PART_BYTES),
});

/** A part by the digest of its bytes. */
export type Part = z.infer<typeof part>;

/** Several times the largest index that Locus makes: of 250,000 files with 1 GiB of sources. */
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
  /** In the repository, with a slash at its end; empty for all of it. */
  folder: z.string().max(4096),
  files: z.int().min(0).max(MAX_FILES),
  chunks: z.int().min(0).max(MAX_CHUNKS),
  edges: z.int().min(0).max(MAX_EDGES),
  models: z
    .array(z.strictObject({ key: z.string().max(200), dimensions: z.int().min(1).max(8192) }))
    .max(20),
  /** Files that are near each other, with the edges that leave them and, by model, in the order of `models`, their embeddings. */
  groups: boundedList(
    z.strictObject({ files: part, edges: part, embeddings: boundedList(part, 20) }),
    MAX_FILES,
  ),
  commits: boundedList(part, 10_000),
  attributes: boundedList(rule, 1000),
});

export type Manifest = z.infer<typeof manifest>;

const MAGIC = 'locus-index 1';

/** A manifest as it is stored: a line each for what it is, the key and the signature, which is of the first line and the rest. */
export function signedManifest(content: Manifest, publisher: Publisher): Buffer {
  const payload = Buffer.from(JSON.stringify(manifest.parse(content)));
  const signature = publisher.sign(signedBytes(payload)).toString('base64');
  return Buffer.concat([Buffer.from(`${MAGIC}\n${publisher.key}\n${signature}\n`), payload]);
}

/**
 * The manifest in these bytes, which are believed in this order: their digest, the key, the signature, the content.
 * @param pinned the keys that are trusted.
 * @throws LocusError `bad-objects`
 */
export function readManifest(
  bytes: Buffer,
  digest: string,
  pinned: ReadonlySet<PublicKey>,
): Manifest {
  if (digestOf(bytes) !== digest) throw damaged(`the manifest ${digest}`);
  const [key, signature, payload] = linesOf(bytes);
  if (!pinned.has(key)) throw foreign(key);
  if (!isSigned(signedBytes(payload), Buffer.from(signature, 'base64'), key))
    throw refusal('the signature of its manifest is wrong');
  const parsed = manifest.safeParse(parseBounded(payload, LIMITS));
  if (!parsed.success)
    throw refusal(
      `its manifest is not as it should be (${z.prettifyError(parsed.error).slice(0, 200)})`,
    );
  refuseUnequal(parsed.data);
  return parsed.data;
}

/** @throws LocusError `bad-objects` if the sizes of the parts contradict each other or the counts. */
function refuseUnequal(content: Manifest): void {
  const { models, groups, chunks } = content;
  if (groups.some(({ embeddings }) => embeddings.length !== models.length))
    throw refusal('its manifest names embeddings of no model');
  const sum = (parts: readonly Part[]) => parts.reduce((total, { raw }) => total + raw, 0);
  for (const [at, model] of models.entries()) {
    const bytes = sum(groups.flatMap(({ embeddings }) => embeddings[at] ?? []));
    if (bytes !== chunks * embeddingBytes(model))
      throw refusal(`its manifest has other embeddings of ${model.key} than functions`);
  }
  const all = listUniqueParts(content);
  const sizes = new Map(all.map(({ sha256, bytes, raw }) => [sha256, `${bytes} ${raw}`]));
  if (listParts(content).some(({ sha256, bytes, raw }) => sizes.get(sha256) !== `${bytes} ${raw}`))
    throw refusal('its manifest gives one part two sizes');
  if (sum(all) > MAX_RAW_BYTES) throw refusal('it is larger than any index that Locus makes');
}

export function listUniqueParts(content: Manifest): Part[] {
  return [...new Map(listParts(content).map((one) => [one.sha256, one])).values()];
}

const listParts = ({ groups, commits }: Manifest): Part[] => [
  ...groups.flatMap(({ files, edges, embeddings }) => [files, edges, ...embeddings]),
  ...commits,
];

export const digestOf = (bytes: Uint8Array): string => hash('sha256', bytes);

const signedBytes = (payload: Buffer) => Buffer.concat([Buffer.from(`${MAGIC}\n`), payload]);

function linesOf(bytes: Buffer): [key: string, signature: string, payload: Buffer] {
  const ends = [0];
  for (let i = 0; i < 3; i++) {
    const end = bytes.indexOf('\n', ends.at(-1));
    if (end < 0 || end > 1000) throw refusal('its manifest is not signed');
    ends.push(end + 1);
  }
  const line = (i: number) => bytes.toString('latin1', ends[i], (ends[i + 1] ?? 1) - 1);
  if (line(0) !== MAGIC || !isPublicKey(line(1))) throw refusal('its manifest is not signed');
  return [line(1), line(2), bytes.subarray(ends[3])];
}

/** Of the size that it should have, an object counts as there in full when it is published again. */
export const damaged = (what: string): LocusError =>
  refusal(`${what} is not what its name says`, 'remove it there, then publish again');

export function foreign(key: PublicKey): LocusError {
  return new LocusError(
    'bad-objects',
    `the shared index was published by ${key}, who is not trusted here`,
    `if you know that key, name it: --key ${key}`,
  );
}
