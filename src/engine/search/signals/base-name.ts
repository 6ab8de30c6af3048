import { asCount } from '../measures/format.ts';
import { measurePaths, pathSpans, quoted } from '../measures/mentions.ts';
import type { PathMention } from '../mentions/paths.ts';
import type { Signal } from './signal.ts';

const counts = ({ by }: PathMention) => by !== 'module';

/** 1 where the issue has the base name of the chunk's file, alone or at the end of a path. */
export const baseName: Signal = {
  name: 'baseName',
  family: 'place',
  title: 'Its file’s name is named',
  impliedBy: 'path',
  measure: (candidates) => measurePaths(candidates, counts),
  format: asCount,
  explain({ slot, candidates }) {
    const spans = pathSpans(slot, candidates, counts);
    return { sentence: `its file ${quoted(spans, '')} in the issue`, spans };
  },
};
