/** Checks of issues, kept in the data directory, so that a list shows its checked order again without another request. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { parseJsonOrNull } from '../../base/http.ts';
import { createFolder } from '../../base/private.ts';
import { writePrivateFile } from '../../base/write-file.ts';
import type { ChunkAddress } from '../../shared/address.ts';
import { type CheckOutcome, checkedChunk } from '../../shared/check.ts';
import type { HashedChunk } from '../../shared/chunk.ts';
import { CHUNK_KINDS } from '../../shared/chunk-kind.ts';
import type { QueryTarget } from '../../shared/repository.ts';
import { toAnchor } from '../exchange/find-chunks.ts';
import { anchorEntries } from '../exchange/import.ts';

/** Name of the folder in the data directory. */
const FOLDER = 'checks';
/** Number of checks of a repository that are kept. */
const MAX_STORED = 500;

const usage = z.object({ requests: z.number(), characters: z.number() });

/** The chunks are known by address and content, so that they are found again after the code moved. */
const storedCheck = z.object({
  model: z.string(),
  place: z.string(),
  checkedAt: z.iso.datetime(),
  isExternal: z.boolean(),
  chunks: z.array(
    checkedChunk.omit({ isChanged: true }).extend({
      path: z.string(),
      qualifiedName: z.string(),
      ordinal: z.int(),
      kind: z.enum(CHUNK_KINDS),
      contentHash: z.string(),
    }),
  ),
  missing: z.array(z.string()),
  size: z.object({ request: z.number(), answer: z.number() }),
  used: usage,
  budget: usage,
});

/** An issue of a repository. */
export interface CheckedIssue {
  /** Folder of the repository, or an encoded workspace, see `encodeWorkspace`. */
  root: string;
  issue: string;
}

type AnchoringTarget = Pick<QueryTarget, 'resolveAnchors'>;

/** One file for each issue, which other processes read and write as well. A damaged file counts as missing. */
export class StoredChecks {
  readonly #folder: string;

  constructor(dataDirectory: string) {
    this.#folder = join(dataDirectory, FOLDER);
  }

  /** Returns the check of an issue, with addresses as they are now and changed chunks marked; null without one. */
  async find(of: CheckedIssue, repository: AnchoringTarget): Promise<CheckOutcome | null> {
    const stored = readCheck(this.#getPath(of));
    if (!stored) return null;
    const { chunks, ...head } = stored;
    const anchors = chunks.map(toAnchor);
    const found = anchorEntries(chunks, await repository.resolveAnchors({ anchors }));
    return {
      ...head,
      asked: found.map(({ entry, now }) => now?.address ?? entry.address),
      added: found.flatMap(({ entry: { isAdded, from, to }, now }) =>
        isAdded && now ? { ...now, rank: from ?? to, score: 0, evidence: {} } : [],
      ),
      chunks: found.map(
        ({ entry: { address, isEdit, reason, from, to, isAdded }, state, now }) => ({
          ...{ address: now?.address ?? address, isEdit, reason, from, to },
          ...(isAdded && { isAdded }),
          ...(state !== 'same' && state !== 'moved' && { isChanged: true }),
        }),
      ),
      notes: [],
      failure: null,
    };
  }

  /**
   * Stores the check of an issue, which replaces an earlier one.
   * @param contents the chunks as they were when the model was asked
   */
  set(
    of: CheckedIssue,
    { notes: _notes, failure: _failure, ...outcome }: CheckOutcome,
    contents: ReadonlyMap<ChunkAddress, HashedChunk>,
  ): void {
    const chunks = outcome.chunks.flatMap((checked) => {
      const content = contents.get(checked.address);
      return content ? [{ ...content, ...checked }] : [];
    });
    const folder = this.#getFolder(of.root);
    createFolder(folder);
    const content = storedCheck.parse({ ...outcome, chunks });
    writePrivateFile(this.#getPath(of), JSON.stringify(content));
    dropOldest(folder);
  }

  remove(of: CheckedIssue): void {
    rmSync(this.#getPath(of), { force: true });
  }

  /** Moves the checks of a repository that was moved. Those of another that was there stay instead. */
  move(from: string, to: string): void {
    const [source, target] = [this.#getFolder(from), this.#getFolder(to)];
    if (existsSync(source) && !existsSync(target)) renameSync(source, target);
  }

  #getFolder(root: string): string {
    return join(this.#folder, computeDigest(root));
  }

  #getPath({ root, issue }: CheckedIssue): string {
    const text = issue.replace(/\r\n/g, '\n').trim();
    return join(this.#getFolder(root), `${computeDigest(text)}.json`);
  }
}

function readCheck(path: string): z.output<typeof storedCheck> | null {
  try {
    return storedCheck.safeParse(parseJsonOrNull(readFileSync(path, 'utf8'))).data ?? null;
  } catch {
    // There is no check of this issue.
    return null;
  }
}

function dropOldest(folder: string): void {
  const paths = readdirSync(folder).map((name) => join(folder, name));
  if (paths.length <= MAX_STORED) return;
  const getTime = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const oldest = paths
    .map((path) => ({ path, time: getTime(path) }))
    .sort((a, b) => a.time - b.time)
    .slice(0, paths.length - MAX_STORED);
  for (const { path } of oldest) rmSync(path, { force: true });
}

const computeDigest = (text: string): string => createHash('sha256').update(text).digest('hex');
