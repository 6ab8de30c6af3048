import { asCount } from '../measures/format.ts';
import { measurePaths, pathSpans, quoted } from '../measures/mentions.ts';
import type { PathMention } from '../mentions/paths.ts';
import type { Signal } from './signal.ts';

const counts = ({ by }: PathMention) => by !== 'base name';

/** 1 where the issue has the chunk's file by path or by dotted module name. */
export const path: Signal = {
  name: 'path',
  family: 'place',
  title: 'Its path is named',
  impliedBy: 'lines',
  measure: (candidates) => measurePaths(candidates, counts),
  format: asCount,
  explain({ slot, candidates }) {
    const spans = pathSpans(slot, candidates, counts);
    return { sentence: `its path ${quoted(spans, '')} in the issue`, spans };
  },
};
