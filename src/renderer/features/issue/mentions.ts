/** What the engine recognised in the issue: underlined in the editor, explained on hover, and a way to the code. */
import { create } from 'zustand';
import type { ChunkAddress, IssueReport, IssueSpan } from '../../../shared/types.ts';
import { engine } from '../../platform/client.ts';
import { useApp } from '../../platform/state.ts';
import type { editor } from '../../ui/monaco.ts';
import { cursorLine, jump } from '../preview/index.ts';
import { useSearch } from '../search/index.ts';
import styles from './issue.module.css';

export type MentionKind = 'name' | 'path' | 'frame';

export type Mention = { span: IssueSpan } & (
  | { kind: 'name'; definitions: number }
  | { kind: 'path'; files: string[] }
  | { kind: 'frame'; path: string; line: number; address: ChunkAddress | null }
);

/** A chunk or a file that a mention points to. */
export interface Target {
  address: ChunkAddress;
  /** In the list of this search, if it is there. */
  rank: number | null;
}

/** All mentions of an issue from its start to its end. */
export function mentionsOf({ names, paths, frames }: IssueReport): Mention[] {
  const mentions: Mention[] = [
    ...names.map(({ definitions, ...span }) => ({ kind: 'name' as const, span, definitions })),
    ...paths.map(({ files, ...span }) => ({ kind: 'path' as const, span, files })),
    ...frames.map(({ start, end, text, path, line, address }) => {
      return { kind: 'frame' as const, span: { start, end, text }, path, line, address };
    }),
  ];
  return mentions.sort((a, b) => a.span.start - b.span.start || b.span.end - a.span.end);
}

interface Placed {
  made: editor.IStandaloneCodeEditor | null;
  mentions: readonly Mention[];
  marks: editor.IEditorDecorationsCollection | null;
}

/** Mentions as they stand in the editor, moving along with its edits. */
export const useMentions = create<Placed>(() => ({ made: null, mentions: [], marks: null }));

export const hasMentions = (): boolean => useMentions.getState().mentions.length > 0;

const MOST = 2000;

/**
 * Underlines what a search has recognised. The text may have been edited since it was sent: then only what still
 * stands in its place is taken, and an answer to the newer text follows soon.
 */
export function placeMentions(
  made: editor.IStandaloneCodeEditor,
  report: IssueReport | null,
): void {
  useMentions.getState().marks?.clear();
  const model = made.getModel();
  if (!model || !report) {
    useMentions.setState({ made, mentions: [], marks: null });
    return;
  }
  const text = model.getValue();
  const mentions = mentionsOf(report)
    .filter(({ span }) => text.startsWith(span.text, span.start))
    .slice(0, MOST);
  const marks = made.createDecorationsCollection(
    mentions.map((mention) => {
      const [start, end] = [mention.span.start, mention.span.end].map((at) =>
        model.getPositionAt(at),
      );
      return {
        range: {
          startLineNumber: start.lineNumber,
          startColumn: start.column,
          endLineNumber: end.lineNumber,
          endColumn: end.column,
        },
        options: { inlineClassName: classOf(mention), stickiness: 1 },
      };
    }),
  );
  useMentions.setState({ made, mentions, marks });
}

function classOf(mention: Mention): string {
  if (mention.kind === 'name') return styles.mentionedName;
  const elsewhere = mention.kind === 'frame' && mention.address === null;
  return elsewhere ? styles.mentionedElsewhere : styles.mentionedPlace;
}

/** The mentions at a place of the editor (1-based), the innermost first; of equal ones, places before names. */
export function mentionsAt(at: { lineNumber: number; column: number }): Mention[] {
  const { mentions, marks } = useMentions.getState();
  return mentions
    .filter((_, index) => marks?.getRange(index)?.containsPosition(at))
    .sort((a, b) => length(a) - length(b) || Number(a.kind === 'name') - Number(b.kind === 'name'));
}

const length = ({ span }: Mention) => span.end - span.start;

/** What a mention points to, the best of this search first. */
export async function targetsOf(mention: Mention): Promise<Target[]> {
  const { response } = useSearch.getState();
  const results = response?.results ?? [];
  const rankOf = new Map(results.map(({ address, rank }) => [address, rank]));
  const target = (address: ChunkAddress) => ({ address, rank: rankOf.get(address) ?? null });
  if (mention.kind === 'path') return mention.files.map((path) => target(`${path}::<module>`));
  if (mention.kind === 'frame') return mention.address ? [target(mention.address)] : [];

  // The list says which of its chunks this very mention is evidence for; the index knows the others of the name.
  const { start, end } = mention.span;
  const ranked = results.filter(({ evidence }) =>
    evidence.name?.spans?.some((span) => span.start === start && span.end === end),
  );
  const addresses = new Set(ranked.map(({ address }) => address));
  if (addresses.size < mention.definitions) {
    for (const address of await definitionsOf(mention.span.text)) {
      if (addresses.size < mention.definitions) addresses.add(address);
    }
  }
  return [...addresses].map(target);
}

async function definitionsOf(name: string): Promise<ChunkAddress[]> {
  const { repository } = useApp.getState();
  if (!repository) return [];
  const qualifiedName = name.replace(/\(\)$/, '');
  const anchors = [{ path: '-', qualifiedName, ordinal: 0, contentHash: null }];
  const [found] = await engine.call('anchors.resolve', { repository: repository.id, anchors });
  return found.sameName.map(({ address }) => address);
}

let last: { mention: Mention; index: number } | null = null;

/** Selects what the mention at the cursor points to; asked again, the next of several. */
export async function goToMention(
  at: { lineNumber: number; column: number } | null = useMentions.getState().made?.getPosition() ??
    null,
): Promise<void> {
  const mention = at && mentionsAt(at)[0];
  if (!mention) return;
  const targets = await targetsOf(mention);
  if (targets.length === 0) return;
  const index = last?.mention === mention ? (last.index + 1) % targets.length : 0;
  last = { mention, index };
  jump(targets[index].address, cursorLine());
}

/** Moves the cursor to the next (or previous) mention, of one kind or of any, and shows what it points to. */
export function stepToMention(step: 1 | -1, kind?: MentionKind): void {
  const { made, mentions, marks } = useMentions.getState();
  const from = made?.getPosition();
  if (!made || !marks || !from) return;
  const places = mentions.flatMap((mention, index) => {
    const range = marks.getRange(index);
    return range && (!kind || mention.kind === kind) ? [range.getStartPosition()] : [];
  });
  if (step === -1) places.reverse();
  const next =
    places.find((place) => (step === 1 ? from.isBefore(place) : place.isBefore(from))) ?? places[0];
  if (!next) return;
  made.focus();
  made.setPosition(next);
  made.revealPositionInCenterIfOutsideViewport(next);
  made.trigger('locus', 'editor.action.showHover', { focus: 'noAutoFocus' });
}
