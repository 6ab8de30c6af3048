/** Mentions in the editor: underlined, and a way to the code. */
import { create } from 'zustand';
import type { ChunkAddress } from '../../../shared/address.ts';
import type { IssueReport } from '../../../shared/search.ts';
import { engine } from '../../platform/client.ts';
import { showPane } from '../../platform/panes.ts';
import { useApp } from '../../platform/state.ts';
import type { Monaco } from '../../ui/CodeEditor.tsx';
import type { editor, languages } from '../../ui/monaco.ts';
import { once } from '../../ui/once.ts';
import { toRange } from '../../ui/range-of.ts';
import { cursorLine, jump } from '../preview/index.ts';
import { responseNow } from '../search/index.ts';
import { explain, SELECT_COMMAND } from './hover-text.ts';
import styles from './issue.module.css';
import {
  addressesOf,
  innermostFirst,
  type Mention,
  type MentionKind,
  mentionsOf,
  standing,
  type Target,
} from './mentions.ts';

interface Placed {
  made: editor.IStandaloneCodeEditor | null;
  mentions: readonly Mention[];
  marks: editor.IEditorDecorationsCollection | null;
}

/** Mentions as they stand in the editor, moving along with its edits. */
const useMentions = create<Placed>(() => ({ made: null, mentions: [], marks: null }));

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
  const mentions = standing(mentionsOf(report), text).slice(0, MOST);
  const marks = made.createDecorationsCollection(
    mentions.map((mention) => ({
      range: toRange(model, mention.span.start, mention.span.end),
      options: { inlineClassName: classOf(mention), stickiness: 1 },
    })),
  );
  useMentions.setState({ made, mentions, marks });
}

function classOf(mention: Mention): string | undefined {
  if (mention.kind === 'name') return styles.mentionedName;
  const elsewhere = mention.kind === 'frame' && mention.address === null;
  return elsewhere ? styles.mentionedElsewhere : styles.mentionedPlace;
}

/** The mentions at a place of the editor (1-based), the innermost first; of equal ones, places before names. */
function mentionsAt(at: { lineNumber: number; column: number }): Mention[] {
  const { mentions, marks } = useMentions.getState();
  return innermostFirst(
    mentions.filter((_, index) => marks?.getRange(index)?.containsPosition(at)),
  );
}

/** Returns the targets of a mention, those of this search first. */
async function findTargets(mention: Mention): Promise<Target[]> {
  const response = responseNow();
  const results = response?.results ?? [];
  const rankOf = new Map(results.map(({ address, rank }) => [address, rank]));
  // The list knows some of a name's definitions; the index knows the others.
  const addresses = new Set(addressesOf(mention, results));
  if (mention.kind === 'name' && addresses.size < mention.definitions) {
    for (const address of await definitionsOf(mention.span.text)) {
      if (addresses.size < mention.definitions) addresses.add(address);
    }
  }
  return Array.from(addresses, (address) => ({ address, rank: rankOf.get(address) ?? null }));
}

async function definitionsOf(name: string): Promise<ChunkAddress[]> {
  const { repository } = useApp.getState();
  if (!repository) return [];
  const qualifiedName = name.replace(/\(\)$/, '');
  const anchors = [{ path: '-', qualifiedName, ordinal: 0, contentHash: null }];
  const [found] = await engine.call('resolveAnchors', {
    repository: repository.id,
    request: { anchors },
  });
  return (found?.sameName ?? []).map(({ address }) => address);
}

let last: { mention: Mention; index: number } | null = null;

/** Selects what the mention at the cursor points to; asked again, the next of several. */
export async function goToMention(
  at: { lineNumber: number; column: number } | null = useMentions.getState().made?.getPosition() ??
    null,
): Promise<void> {
  const mention = at && mentionsAt(at)[0];
  if (!mention) return;
  const targets = await findTargets(mention);
  const index = last?.mention === mention ? (last.index + 1) % targets.length : 0;
  const target = targets[index];
  if (!target) return;
  last = { mention, index };
  jump(target.address, cursorLine());
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
  showPane('issue', () => {
    made.focus();
    made.setPosition(next);
    made.revealPositionInCenterIfOutsideViewport(next);
    made.trigger('locus', 'editor.action.showHover', { focus: 'noAutoFocus' });
  });
}

/** Explains mentions in this editor from now on. */
export function explainMentions(monaco: Monaco, made: editor.IStandaloneCodeEditor): void {
  explained.made = made;
  register(monaco);
}

/** The editor of the issue; of several that there were, the latest. */
const explained: { made: editor.IStandaloneCodeEditor | null } = { made: null };

const register = once((monaco: Monaco) => {
  monaco.editor.registerCommand(SELECT_COMMAND, (_accessor, address: string) =>
    jump(address, cursorLine()),
  );
  monaco.languages.registerHoverProvider('markdown', {
    provideHover: async (asked, at): Promise<languages.Hover | null> => {
      const mentions = asked === explained.made?.getModel() ? mentionsAt(at) : [];
      if (mentions.length === 0) return null;
      const contents = mentions.map(async (mention) => ({
        value: explain(mention, await findTargets(mention)),
        isTrusted: { enabledCommands: [SELECT_COMMAND] },
      }));
      return { contents: await Promise.all(contents) };
    },
  });
});
