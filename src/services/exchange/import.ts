/** Reads an exported list and finds its chunks in another checkout. */
import { z } from 'zod';
import { assertPresent } from '../../shared/assert-present.ts';
import type { HashedChunk } from '../../shared/chunk.ts';
import { type DiffHunk, diffCode, numberCode } from '../../shared/code-diff.ts';
import { badInput } from '../../shared/errors.ts';
import type { AnchorMatches } from '../../shared/lists.ts';
import { quoteText } from '../../shared/quote.ts';
import type { QueryTarget } from '../../shared/repository.ts';
import { LIST_FORMAT, LIST_VERSION, type ListEntry, type LocusList, locusList } from './list.ts';
import { createDamagedError, createNotAListError, createNotJsonError } from './list-errors.ts';

export const MAX_LIST_BYTES = 50_000_000;

export const ANCHOR_STATES = ['same', 'moved', 'changed', 'moved and changed', 'gone'] as const;
export type AnchorState = (typeof ANCHOR_STATES)[number];

export type Anchorable = Pick<
  ListEntry,
  'path' | 'qualifiedName' | 'ordinal' | 'kind' | 'contentHash'
>;

export interface AnchoredEntry<Entry extends Anchorable = ListEntry> {
  entry: Entry;
  state: AnchorState;
  /** The chunk in this repository; null if it is gone. */
  now: HashedChunk | null;
  /** Explanation of the match: other candidates, or the new location of the old code. */
  detail: string | null;
}

export interface ImportReport {
  list: Omit<LocusList, 'chunks'>;
  counts: Record<AnchorState, number>;
  entries: AnchoredEntry[];
}

/**
 * Parses the text of a list file.
 * @param name what errors call the file
 * @throws LocusError `bad-input` if it is not JSON, not a list, damaged, or of another version
 */
export function parseList(text: string, name: string): LocusList {
  if (text.length > MAX_LIST_BYTES) {
    throw badInput(
      `${name} is larger than ${MAX_LIST_BYTES / 1e6} MB.`,
      'Export fewer results with --limit.',
    );
  }
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    throw createNotJsonError(text, name, error);
  }
  const head = z.object({ format: z.string(), version: z.number() }).safeParse(value);
  if (!head.success || head.data.format !== LIST_FORMAT) throw createNotAListError(value, name);
  if (head.data.version !== LIST_VERSION) {
    throw badInput(
      `${name} is a list of version ${head.data.version}. This version of Locus reads version ${LIST_VERSION}.`,
      'Export the list again with this version, or open it with the version that wrote it.',
    );
  }
  const list = locusList.safeParse(value);
  if (!list.success) throw createDamagedError(value, name, list.error.issues);
  return list.data;
}

/**
 * Finds each entry of a list in a repository. Tries in this order: the chunk at the same address, the same code elsewhere, a
 * chunk of the same name elsewhere. A chunk is matched to at most one entry.
 */
export async function anchorList(list: LocusList, repository: QueryTarget): Promise<ImportReport> {
  const { chunks, ...head } = list;
  const matches = await repository.resolveAnchors({
    anchors: chunks.map(({ path, qualifiedName, ordinal, contentHash }) => ({
      path,
      qualifiedName,
      ordinal,
      contentHash,
    })),
  });
  const entries = anchorEntries(chunks, matches);
  const counts = Object.fromEntries(
    ANCHOR_STATES.map((state) => [state, entries.filter((entry) => entry.state === state).length]),
  ) as Record<AnchorState, number>;
  return { list: head, counts, entries };
}

/** Matches entries to chunks, as `anchorList` describes. `matches` is parallel to `entries`. */
export function anchorEntries<Entry extends Anchorable>(
  entries: readonly Entry[],
  matches: readonly AnchorMatches[],
): AnchoredEntry<Entry>[] {
  const anchored: (AnchoredEntry<Entry> | undefined)[] = [];
  const taken = new Set<string>();
  const isFree = (chunk: HashedChunk) => !taken.has(chunk.address);
  // The most reliable rule runs for all entries first, so that no entry takes a chunk that belongs to another.
  for (const rule of [
    unchangedInPlace,
    shiftedRedefinition,
    changedInPlace,
    sameCodeElsewhere,
    sameNameElsewhere,
  ]) {
    for (const [i, entry] of entries.entries()) {
      if (anchored[i]) continue;
      const { sameAddress, sameContent, sameName } = assertPresent(
        matches[i],
        'the matches of an entry',
      );
      const found = rule(entry, {
        sameAddress: sameAddress && isFree(sameAddress) ? sameAddress : null,
        sameContent: sameContent.filter(isFree),
        sameName: sameName.filter(isFree),
      });
      if (!found?.now) continue;
      taken.add(found.now.address);
      anchored[i] = found;
    }
  }
  return entries.map(
    (entry, i) => anchored[i] ?? { entry, state: 'gone', now: null, detail: null },
  );
}

type Rule = <Entry extends Anchorable>(
  entry: Entry,
  matches: AnchorMatches,
) => AnchoredEntry<Entry> | null;

const unchangedInPlace: Rule = (entry, { sameAddress: now }) =>
  now?.contentHash === entry.contentHash ? { entry, state: 'same', now, detail: null } : null;

/** Matches the same code under another ordinal: a definition of the same name was added or removed before it. */
const shiftedRedefinition: Rule = (entry, { sameContent }) => {
  const now = sameContent.find(
    (chunk) => chunk.path === entry.path && chunk.qualifiedName === entry.qualifiedName,
  );
  return now
    ? { entry, state: 'same', now, detail: 'another definition of this name was added or removed' }
    : null;
};

const changedInPlace: Rule = (entry, { sameAddress: now, sameContent }) => {
  if (!now) return null;
  const detail = sameContent[0]
    ? `its old code is now at ${quoteText(sameContent[0].address)}`
    : null;
  return { entry, state: 'changed', now, detail };
};

const sameCodeElsewhere: Rule = (entry, { sameContent }) => {
  // Many files hold the same few imports, or nothing. Equal module code does not show where a file went.
  if (entry.kind === 'module' && sameContent.length > 1) return null;
  const now = chooseMostSimilar(entry, sameContent);
  const others = sameContent.length - 1;
  const detail =
    others > 0
      ? `${others} other ${others > 1 ? 'functions have' : 'function has'} the same code`
      : null;
  return now ? { entry, state: 'moved', now, detail } : null;
};

const sameNameElsewhere: Rule = (entry, { sameName }) => {
  const qualified = sameName.filter((chunk) => chunk.qualifiedName === entry.qualifiedName);
  const [now, ...others] = qualified.length > 0 ? qualified : sameName;
  if (!now || others.length > 0) return null;
  return { entry, state: 'moved and changed', now, detail: 'the only function of this name' };
};

function chooseMostSimilar(
  entry: Anchorable,
  candidates: readonly HashedChunk[],
): HashedChunk | null {
  const segments = new Set(entry.path.split('/'));
  const similarity = ({ qualifiedName, path }: HashedChunk) =>
    (qualifiedName === entry.qualifiedName ? 100 : 0) +
    path.split('/').filter((segment) => segments.has(segment)).length;
  const [best] = candidates.toSorted((a, b) => similarity(b) - similarity(a));
  return best ?? null;
}

/** Difference between an entry's code and the chunk's; null if nothing changed or the chunk is gone; `without code` if the list has no code. */
export type CodeChange = DiffHunk[] | 'without code' | null;

export async function findCodeChange(
  repository: QueryTarget,
  { entry, state, now }: AnchoredEntry,
): Promise<CodeChange> {
  if (!now || !state.endsWith('changed')) return null;
  if (entry.code === undefined) return 'without code';
  const shown = await repository.show({ chunk: now.address });
  return diffCode(numberCode(entry.code, entry), numberCode(shown.code, shown));
}
