/** Decorations of the code: results tinted by rank, the selected chunk, and calls as links. */
import { splitAddress } from '../../../shared/address.ts';
import type { CallEdge } from '../../../shared/call-graph.ts';
import type { ChunkSummary } from '../../../shared/chunk.ts';
import type { FileDetail } from '../../../shared/detail.ts';
import type { RankedChunk } from '../../../shared/search.ts';
import { toCodeSpan } from '../../ui/code-spans.ts';
import type { editor } from '../../ui/monaco.ts';
import { createColorReader } from '../../ui/theme.ts';
import { getHeat, listOwnLines, listResultsIn } from './candidates.ts';
import styles from './preview.module.css';

type Decoration = editor.IModelDeltaDecoration;

/** Monaco's numbers for `OverviewRulerLane`. */
const LEFT = 1;
const FULL = 7;

/** Opacity of a result in the overview ruler, by its heat. */
const RULER_ALPHA = ['', 'ff', 'b8', '80', '50'];

export const toLineRange = (start: number, end: number) => ({
  startLineNumber: start,
  startColumn: 1,
  endLineNumber: end,
  endColumn: 1,
});

/** Tints results, only on their own lines, so that a class does not cover its methods. */
export function createResultDecorations(
  file: FileDetail,
  results: readonly RankedChunk[],
  selected: ChunkSummary | null,
): Decoration[] {
  const color = createColorReader();
  const accent = color('--accent');
  const candidates = listResultsIn(results, file.path);
  const tint = (
    chunk: ChunkSummary,
    ruler: editor.IModelDecorationOverviewRulerOptions,
    options: Decoration['options'],
  ) =>
    listOwnLines(chunk, file.chunks).map(
      ([start, end]): Decoration => ({
        range: toLineRange(start, end),
        options: {
          isWholeLine: true,
          overviewRuler: chunk.kind === 'module' ? null : ruler,
          ...options,
        },
      }),
    );
  const tinted = candidates.flatMap((candidate) => {
    const heat = getHeat(candidate.rank);
    const ruler = { color: accent + RULER_ALPHA[heat], position: LEFT };
    return tint(candidate, ruler, { className: styles[`heat${heat}`] });
  });
  if (!selected) return tinted;
  const isCandidate = candidates.some(({ address }) => address === selected.address);
  const edges = tint(
    selected,
    { color: color('--focus'), position: FULL },
    {
      className: isCandidate ? null : styles.range,
      linesDecorationsClassName: styles.edge,
    },
  );
  return [...tinted, ...edges];
}

/** Decorates the calls of the selected chunk as links: Ctrl+click or F12 goes to the callee. */
export function createCallDecorations(
  model: editor.ITextModel,
  edges: readonly CallEdge[],
): Decoration[] {
  return edges.flatMap(({ callee, guess, sites }) =>
    sites.flatMap(({ line, column }): Decoration[] => {
      if (line > model.getLineCount()) return [];
      const word = model.getWordAtPosition({ lineNumber: line, column: column + 1 });
      if (!word) return [];
      return [
        {
          range: {
            ...toLineRange(line, line),
            startColumn: word.startColumn,
            endColumn: word.endColumn,
          },
          options: {
            inlineClassName: guess ? `${styles.call} ${styles.guess}` : styles.call,
            hoverMessage: { value: describe(callee, guess) },
          },
        },
      ];
    }),
  );
}

function describe(callee: string, guess: boolean): string {
  const { path, name } = splitAddress(callee);
  return `${toCodeSpan(name)} in ${toCodeSpan(path)}${guess ? ' (guessed by name)' : ''}  \nCtrl+click or F12 to go there`;
}
