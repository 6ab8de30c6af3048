/** Underlines mentions in the editor, with hovers and commands that open their targets. */
import { create } from 'zustand';
import type { ChunkAddress } from '../../../shared/address.ts';
import type { IssueReport } from '../../../shared/search.ts';
import { engine } from '../../platform/client.ts';
import { showPane } from '../../platform/panes.ts';
import { useApp } from '../../platform/state.ts';
import type { Monaco } from '../../ui/CodeEditor.tsx';
import type { editor, languages } from '../../ui/monaco.ts';
import { once } from '../../ui/once.ts';
import { toRange } from '../../ui/to-range.ts';
import { getCursorLine, jumpToChunk } from '../preview/index.ts';
import { getCurrentResponse } from '../search/index.ts';
import { formatMentionHover, SELECT_COMMAND } from './hover-text.ts';
import styles from './issue.module.css';
import {
  filterUnchanged,
  findAddresses,
  listMentions,
  type Mention,
  type MentionKind,
  type MentionTarget,
  sortInnermostFirst,
} from './mentions.ts';

interface MentionsState {
  issueEditor: editor.IStandaloneCodeEditor | null;
  mentions: readonly Mention[];
  /** One decoration for each mention. */
  decorations: editor.IEditorDecorationsCollection | null;
}

/** Mentions in the editor. Their decorations move along with edits. */
const useMentions = create<MentionsState>(() => ({
  issueEditor: null,
  mentions: [],
  decorations: null,
}));

export const hasMentions = (): boolean => useMentions.getState().mentions.length > 0;

const MAX_MENTIONS = 2000;

/**
 * Underlines the mentions in a report. If the text was edited since the search, only unchanged mentions are underlined;
 * the response to the new text follows soon.
 */
export function underlineMentions(
  issueEditor: editor.IStandaloneCodeEditor,
  report: IssueReport | null,
): void {
  useMentions.getState().decorations?.clear();
  const model = issueEditor.getModel();
  if (!model || !report) {
    useMentions.setState({ issueEditor, mentions: [], decorations: null });
    return;
  }
  const text = model.getValue();
  const mentions = filterUnchanged(listMentions(report), text).slice(0, MAX_MENTIONS);
  const decorations = issueEditor.createDecorationsCollection(
    mentions.map((mention) => ({
      range: toRange(model, mention.span.start, mention.span.end),
      options: { inlineClassName: getClass(mention), stickiness: 1 },
    })),
  );
  useMentions.setState({ issueEditor, mentions, decorations });
}

function getClass(mention: Mention): string | undefined {
  if (mention.kind === 'name') return styles.mentionedName;
  const isOutside = mention.kind === 'frame' && mention.address === null;
  return isOutside ? styles.mentionedOutside : styles.mentionedLocation;
}

/** Returns the mentions at a position (1-based) in the editor, the innermost first. */
function findMentionsAt(at: { lineNumber: number; column: number }): Mention[] {
  const { mentions, decorations } = useMentions.getState();
  return sortInnermostFirst(
    mentions.filter((_, index) => decorations?.getRange(index)?.containsPosition(at)),
  );
}

/** Returns the targets of a mention, those in the current list first. */
async function findTargets(mention: Mention): Promise<MentionTarget[]> {
  const response = getCurrentResponse();
  const results = response?.results ?? [];
  const rankOf = new Map(results.map(({ address, rank }) => [address, rank]));
  // The list may contain only some of a name's definitions, so the rest come from the index.
  const addresses = new Set(findAddresses(mention, results));
  if (mention.kind === 'name' && addresses.size < mention.definitions) {
    for (const address of await findDefinitions(mention.span.text)) {
      if (addresses.size < mention.definitions) addresses.add(address);
    }
  }
  return Array.from(addresses, (address) => ({ address, rank: rankOf.get(address) ?? null }));
}

async function findDefinitions(name: string): Promise<ChunkAddress[]> {
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

/** Target that was opened last, so that the next call opens the next one. */
let last: { mention: Mention; index: number } | null = null;

/** Selects the target of the mention at the cursor. If it has several, repeated calls go through them. */
export async function openMentionTarget(
  at: { lineNumber: number; column: number } | null = useMentions
    .getState()
    .issueEditor?.getPosition() ?? null,
): Promise<void> {
  const mention = at && findMentionsAt(at)[0];
  if (!mention) return;
  const targets = await findTargets(mention);
  const index = last?.mention === mention ? (last.index + 1) % targets.length : 0;
  const target = targets[index];
  if (!target) return;
  last = { mention, index };
  jumpToChunk(target.address, getCursorLine());
}

/** Moves the cursor to the next or previous mention, of one kind or of any, and shows its hover. */
export function moveToMention(step: 1 | -1, kind?: MentionKind): void {
  const { issueEditor, mentions, decorations } = useMentions.getState();
  const from = issueEditor?.getPosition();
  if (!issueEditor || !decorations || !from) return;
  const starts = mentions.flatMap((mention, index) => {
    const range = decorations.getRange(index);
    return range && (!kind || mention.kind === kind) ? [range.getStartPosition()] : [];
  });
  if (step === -1) starts.reverse();
  const next =
    starts.find((start) => (step === 1 ? from.isBefore(start) : start.isBefore(from))) ?? starts[0];
  if (!next) return;
  showPane('issue', () => {
    issueEditor.focus();
    issueEditor.setPosition(next);
    issueEditor.revealPositionInCenterIfOutsideViewport(next);
    issueEditor.trigger('locus', 'editor.action.showHover', { focus: 'noAutoFocus' });
  });
}

/** Shows hovers over mentions in this editor. */
export function showMentionHovers(monaco: Monaco, issueEditor: editor.IStandaloneCodeEditor): void {
  hovered.issueEditor = issueEditor;
  registerHovers(monaco);
}

/** The editor with hovers: the one that was created last. */
const hovered: { issueEditor: editor.IStandaloneCodeEditor | null } = { issueEditor: null };

const registerHovers = once((monaco: Monaco) => {
  monaco.editor.registerCommand(SELECT_COMMAND, (_accessor, address: string) =>
    jumpToChunk(address, getCursorLine()),
  );
  monaco.languages.registerHoverProvider('markdown', {
    provideHover: async (model, at): Promise<languages.Hover | null> => {
      const mentions = model === hovered.issueEditor?.getModel() ? findMentionsAt(at) : [];
      if (mentions.length === 0) return null;
      const contents = mentions.map(async (mention) => ({
        value: formatMentionHover(mention, await findTargets(mention)),
        isTrusted: { enabledCommands: [SELECT_COMMAND] },
      }));
      return { contents: await Promise.all(contents) };
    },
  });
});
