/** Rank badges in the margin, next to the first line of each result. */
import type { RankedChunk } from '../../../shared/search.ts';
import type { editor } from '../../ui/monaco.ts';
import { select } from '../search/index.ts';
import { getHeat } from './candidates.ts';
import { toLineRange } from './decorations.ts';
import styles from './preview.module.css';

/** Monaco's number for `GlyphMarginLane.Center`. */
const CENTER = 2;

/**
 * Shows badges until the returned function is called. They are hidden from screen readers, since the list and the commands for
 * the next result do the same with the keyboard.
 */
export function showBadges(
  made: editor.IStandaloneCodeEditor,
  candidates: readonly RankedChunk[],
): () => void {
  const byLine = new Map<number, RankedChunk>();
  for (const candidate of candidates) {
    const other = byLine.get(candidate.startLine);
    if (!other || candidate.rank < other.rank) byLine.set(candidate.startLine, candidate);
  }
  const widgets = [...byLine.values()].map(createBadge);
  for (const widget of widgets) made.addGlyphMarginWidget(widget);
  return () => {
    for (const widget of widgets) made.removeGlyphMarginWidget(widget);
  };
}

function createBadge({ address, rank, startLine }: RankedChunk): editor.IGlyphMarginWidget {
  const node = document.createElement('div');
  // Monaco sets the size of this node, so the visible badge is a child of it.
  node.className = styles.badge ?? '';
  node.dataset.digits = String(String(rank).length);
  const shown = document.createElement('span');
  shown.className = styles[`badge${getHeat(rank)}`] ?? '';
  shown.textContent = String(rank);
  node.append(shown);
  node.title = `Rank ${rank}`;
  node.ariaHidden = 'true';
  node.addEventListener('click', () => select(address));
  return {
    getId: () => `rank ${address}`,
    getDomNode: () => node,
    getPosition: () => ({ lane: CENTER, zIndex: 10, range: toLineRange(startLine, startLine) }),
  };
}
