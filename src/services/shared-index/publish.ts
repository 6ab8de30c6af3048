/** `locus publish`: stores the complete index of a commit where others can take it from. */

import {
  type ExportedPart,
  exportSnapshot,
  getIndexFormat,
  type SnapshotExport,
} from '../../engine/index.ts';
import { assertPresent } from '../../shared/assert-present.ts';
import { getOrAdd } from '../../shared/get-or-add.ts';
import { VERSION } from '../../shared/version.ts';
import type { ObjectStore } from '../objects/objects.ts';
import { readPrefix } from '../remote/origin.ts';
import { addToCatalog, findSharedName, getManifestKey } from './catalog.ts';
import type { PublicKey, Publisher } from './keys.ts';
import { computeDigest, type IndexManifest, listUniqueParts, signManifest } from './manifest.ts';
import { mapAhead, type SentPart, sendObject, sendPart } from './parts.ts';

export interface PublishOptions {
  objects: ObjectStore;
  publisher: Publisher;
  /** Name of the repository; by default from its remote `origin`. */
  name?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Called with the number of parts handled so far. */
  onPart?: (done: number) => void;
}

export interface PublishReport {
  commit: string;
  to: string;
  key: PublicKey;
  files: number;
  chunks: number;
  edges: number;
  /** Models that made the embeddings. */
  models: string[];
  /** Number of parts of the index, and how many of them were new. */
  parts: number;
  sent: number;
  bytes: number;
  bytesSent: number;
}

export interface PublishedIndex {
  root: string;
  commit: string;
  directory: string;
}

/**
 * Publishes an index: first the parts, then the manifest, then the catalog entry. So whoever finds the entry finds everything, even if
 * publishing is interrupted. Parts that are stored already are not sent.
 *
 * @throws LocusError `bad-objects`; `bad-repository` if the index is not complete; `busy`, `cancelled`
 */
export async function publishIndex(
  { root, commit, directory }: PublishedIndex,
  { objects, publisher, name, signal, onPart }: PublishOptions,
): Promise<PublishReport> {
  const folder = await readPrefix({ root });
  const { manifest, sent } = await exportSnapshot({ directory, root, commit, signal }, (snapshot) =>
    sendSnapshot(snapshot, { commit, folder }, objects, signal, onPart),
  );
  const signed = signManifest(manifest, publisher);
  const digest = computeDigest(signed);
  const isNew = await sendObject(objects, getManifestKey(digest), signed, signal);
  const entry = { commit, folder, engine: manifest.engine, version: VERSION, key: publisher.key };
  const listed = name ?? (await findSharedName(root));
  await addToCatalog(objects, listed, { ...entry, manifest: digest }, signal);
  const { files, chunks, edges, models } = manifest;
  const parts = listUniqueParts(manifest);
  const fresh = [...sent.values()].filter((one) => one.isNew).map(({ part }) => part);
  return {
    ...{ commit, to: objects.name, key: publisher.key, files, chunks, edges },
    models: models.map((model) => model.key),
    parts: parts.length,
    sent: fresh.length,
    bytes: parts.reduce((sum, part) => sum + part.bytes, signed.length),
    bytesSent: fresh.reduce((sum, part) => sum + part.bytes, isNew ? signed.length : 0),
  };
}

async function sendSnapshot(
  { parts, ...snapshot }: SnapshotExport,
  place: Pick<IndexManifest, 'commit' | 'folder'>,
  objects: ObjectStore,
  signal: AbortSignal | undefined,
  onPart: ((done: number) => void) | undefined,
) {
  const groups: IndexManifest['groups'] = [];
  const commits: IndexManifest['commits'] = [];
  /** By digest: an index can contain the same part twice. */
  const sent = new Map<string, SentPart>();
  const send = async (exported: ExportedPart) => ({
    exported,
    transfer: await sendPart(objects, exported.bytes, signal),
  });
  let done = 0;
  for await (const { exported, transfer } of mapAhead(parts, ({ bytes }) => bytes.length, send)) {
    const { part } = transfer;
    getOrAdd(sent, part.sha256, () => transfer);
    if (exported.kind === 'commits') commits.push(part);
    else if (exported.kind === 'files') groups.push({ files: part, edges: part, embeddings: [] });
    else {
      const group = assertPresent(groups[exported.group], 'the files of a group');
      if (exported.kind === 'edges') group.edges = part;
      else group.embeddings.push(part);
    }
    onPart?.(++done);
  }
  const manifest = { engine: await getIndexFormat(), ...place, ...snapshot, groups, commits };
  return { manifest, sent };
}
