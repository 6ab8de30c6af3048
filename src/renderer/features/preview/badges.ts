/** Ranks in the margin, beside the first line of each candidate. */
import type { RankedChunk } from '../../../shared/search.ts';
import type { editor } from '../../ui/monaco.ts';
import { select } from '../search/index.ts';
import { heatOf } from './candidates.ts';
import { lines } from './decorations.ts';
import styles from './preview.module.css';

/** Monaco's number for `GlyphMarginLane.Center`. */
const CENTER = 2;

/**
 * Shows them until the function that is returned is called. They can be clicked; with keys, the list and the commands
 * for the next candidate do the same, so they are not in the way of a screen reader.
 */
export function showBadges(
  made: editor.IStandaloneCodeEditor,
  candidates: readonly RankedChunk[],
): () => void {
  const byLine = new Map<number, RankedChunk>();
  for (const candidate of candidates) {
    const there = byLine.get(candidate.startLine);
    if (!there || candidate.rank < there.rank) byLine.set(candidate.startLine, candidate);
  }
  const widgets = [...byLine.values()].map(badge);
  for (const widget of widgets) made.addGlyphMarginWidget(widget);
  return () => {
    for (const widget of widgets) made.removeGlyphMarginWidget(widget);
  };
}

function badge({ address, rank, startLine }: RankedChunk): editor.IGlyphMarginWidget {
  const node = document.createElement('div');
  // Monaco gives the node a size; what is seen stands inside.
  node.className = styles.badge ?? '';
  node.dataset.digits = String(String(rank).length);
  const shown = document.createElement('span');
  shown.className = styles[`badge${heatOf(rank)}`] ?? '';
  shown.textContent = String(rank);
  node.append(shown);
  node.title = `Rank ${rank} of this search`;
  node.ariaHidden = 'true';
  node.addEventListener('click', () => select(address));
  return {
    getId: () => `rank ${address}`,
    getDomNode: () => node,
    getPosition: () => ({ lane: CENTER, zIndex: 10, range: lines(startLine, startLine) }),
  };
}
