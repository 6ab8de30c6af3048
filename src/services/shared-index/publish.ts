/** `locus publish`: a commit's complete index, put where others take it from. */

import { type ExportedPart, exportSnapshot } from '../../engine/portable/export-snapshot.ts';
import { ENGINE } from '../../engine/portable/version.ts';
import { Store } from '../../engine/store/store.ts';
import { LocusError } from '../../shared/errors.ts';
import { getOrAdd } from '../../shared/get-or-add.ts';
import { present } from '../../shared/present.ts';
import { VERSION } from '../../shared/version.ts';
import type { ObjectStore } from '../objects/objects.ts';
import { addToCatalogue, manifestKey } from './catalogue.ts';
import type { PublicKey, Publisher } from './keys.ts';
import { digestOf, type Manifest, partsOf, signedManifest } from './manifest.ts';
import { ahead, type Sent, sendObject, sendPart } from './parts.ts';
import { sharedFolder, sharedName } from './place.ts';

export interface PublishOptions {
  objects: ObjectStore;
  publisher: Publisher;
  /** Of the repository; by default as its remote `origin` says. */
  name?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Told how many parts were dealt with. */
  onPart?: (done: number) => void;
}

export interface PublishReport {
  commit: string;
  to: string;
  /** By which readers know who published. */
  key: PublicKey;
  files: number;
  chunks: number;
  edges: number;
  /** The models of which there are embeddings. */
  models: string[];
  /** Of which the index consists, and how many of them were not there before. */
  parts: number;
  sent: number;
  bytes: number;
  bytesSent: number;
}

/** A commit whose index is complete in a folder. */
export interface PublishedIndex {
  root: string;
  commit: string;
  /** Of its store. */
  directory: string;
}

/**
 * Publishes an index: parts first, then the manifest, then the entry by which it is found, so that whoever finds it finds all of it,
 * wherever this is cut short. Parts that are there are not sent.
 *
 * @throws LocusError `bad-objects`; `bad-repository` where the index is not complete; `busy`, `cancelled`.
 */
export async function publish(
  { root, commit, directory }: PublishedIndex,
  { objects, publisher, name, signal, onPart }: PublishOptions,
): Promise<PublishReport> {
  const folder = await sharedFolder(root);
  const store = new Store(directory);
  try {
    const { manifest, sent } = await store.lock.hold(
      () => sendSnapshot(store, { root, commit, folder }, objects, signal, onPart),
      undefined,
      signal,
    );
    const signed = signedManifest(manifest, publisher);
    const digest = digestOf(signed);
    const isNew = await sendObject(objects, manifestKey(digest), signed, signal);
    const entry = { commit, folder, engine: ENGINE, version: VERSION, key: publisher.key };
    const listed = name ?? (await sharedName(root));
    await addToCatalogue(objects, listed, { ...entry, manifest: digest }, signal);
    const { files, chunks, edges, models } = manifest;
    const parts = partsOf(manifest);
    const fresh = [...sent.values()].filter((one) => one.isNew).map(({ part }) => part);
    return {
      ...{ commit, to: objects.name, key: publisher.key, files, chunks, edges },
      models: models.map((model) => model.key),
      parts: parts.length,
      sent: fresh.length,
      bytes: parts.reduce((sum, part) => sum + part.bytes, signed.length),
      bytesSent: fresh.reduce((sum, part) => sum + part.bytes, isNew ? signed.length : 0),
    };
  } finally {
    store.close();
  }
}

interface Place {
  root: string;
  commit: string;
  folder: string;
}

/** What was sent, by digest: a part may be there twice. */
type Transfers = Map<string, Sent>;

async function sendSnapshot(
  store: Store,
  { root, commit, folder }: Place,
  objects: ObjectStore,
  signal: AbortSignal | undefined,
  onPart: ((done: number) => void) | undefined,
): Promise<{ manifest: Manifest; sent: Transfers }> {
  const snapshotId = store.snapshots.open(commit);
  const counts = countsOf(store, snapshotId, commit);
  const models = store.embeddings.complete(snapshotId, counts.chunks);
  const options = { root, commit, models, signal };
  const groups: Manifest['groups'] = [];
  const commits: Manifest['commits'] = [];
  const sent: Transfers = new Map();
  const send = async (exported: ExportedPart) => ({
    exported,
    done: await sendPart(objects, exported.bytes, signal),
  });
  let done = 0;
  const parts = exportSnapshot(store, snapshotId, options);
  for await (const one of ahead(parts, ({ bytes }) => bytes.length, send)) {
    const { part } = one.done;
    const { exported } = one;
    getOrAdd(sent, part.sha256, () => one.done);
    if (exported.kind === 'commits') commits.push(part);
    else if (exported.kind === 'files') groups.push({ files: part, edges: part, embeddings: [] });
    else {
      const group = present(groups[exported.group], 'the files of a group');
      if (exported.kind === 'edges') group.edges = part;
      else group.embeddings.push(part);
    }
    onPart?.(++done);
  }
  const attributes = store.snapshots.attributes(snapshotId);
  const manifest = {
    engine: ENGINE,
    commit,
    folder,
    ...counts,
    models,
    groups,
    commits,
    attributes,
  };
  return { manifest, sent };
}

function countsOf(store: Store, snapshotId: number, commit: string) {
  if (!store.snapshots.state(snapshotId).complete) {
    throw new LocusError(
      'bad-repository',
      `the index of ${commit} is not complete`,
      'index it first: locus index --at the same commit',
    );
  }
  let [files, chunks, edges] = [0, 0, 0];
  for (const { versionId } of store.snapshots.files(snapshotId)) {
    const inFile = store.versions.chunks(versionId).length;
    chunks += inFile;
    // What has none is a manifest, which is not counted elsewhere either.
    if (inFile > 0) files++;
  }
  for (const _ of store.edges.ofSnapshot(snapshotId)) edges++;
  return { files, chunks, edges };
}
