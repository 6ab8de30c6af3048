/** Signals that describe the chunk itself, regardless of the issue. They give no reasons. */
import { formatCounted } from '../../../../shared/format-count.ts';
import { findLanguage } from '../../../languages/index.ts';
import type { Candidates } from '../../gather/gather.ts';
import { isVague } from '../../gather/locations.ts';
import { measureEach, withFamily } from './signal.ts';
import { formatYesOrNo } from './wording.ts';

export const KIND_SIGNALS = withFamily('kind', [
  /** Natural logarithm of the length of the chunk's text. There is more to edit in a long function. */
  {
    name: 'length',
    title: 'Length of its code',
    measure: (candidates) => measureEach(candidates, (chunk) => Math.log(1 + chunk.length)),
    format: (value) => formatCounted(Math.exp(value) - 1, 'character'),
  },
  /** 1 for a class. Fixes change its methods more often than its header and its statements. */
  {
    name: 'class',
    title: 'A class',
    measure: (candidates) => measureEach(candidates, ({ kind }) => (kind === 'class' ? 1 : 0)),
    format: formatYesOrNo,
  },
  {
    name: 'module',
    title: 'Code outside definitions',
    measure: (candidates) => measureEach(candidates, ({ kind }) => (kind === 'module' ? 1 : 0)),
    format: formatYesOrNo,
  },
  /** 1 for a name that its language marks as private. */
  {
    name: 'private',
    title: 'A private name',
    measure: (candidates) =>
      measureEach(candidates, ({ name, path }) =>
        findLanguage(path)?.names.isPrivate(name) ? 1 : 0,
      ),
    format: formatYesOrNo,
  },
  /** 1 for a method that the language itself calls, except constructors. */
  {
    name: 'special',
    title: 'A special method',
    measure: (candidates) =>
      measureEach(candidates, ({ name, path }) =>
        findLanguage(path)?.names.isSpecial(name) ? 1 : 0,
      ),
    format: formatYesOrNo,
  },
  /** Natural logarithm of the number of chunks with the same simple name. */
  {
    name: 'commonName',
    title: 'How many functions share its name',
    measure: (candidates) =>
      measureEach(candidates, ({ qualifiedName }) => {
        const simple = qualifiedName.slice(qualifiedName.lastIndexOf('.') + 1);
        return Math.log(Math.max(1, candidates.index.getSlotsByName(simple).length));
      }),
    format: (value) => formatCounted(Math.exp(value), 'function'),
  },
  /**
   * 1 for tests, examples and documentation. Also 1 for vendored and generated code, unless the issue mentions its file:
   * then the issue may be about code that is usually not edited here.
   */
  {
    name: 'role',
    title: 'Role of its file',
    measure(candidates) {
      const mentioned = findMentionedFiles(candidates);
      return measureEach(candidates, (chunk) => {
        if (chunk.role === 'source') return 0;
        const isForeign = chunk.role === 'vendored' || chunk.role === 'generated';
        return isForeign && mentioned.has(chunk.path) ? 0 : 1;
      });
    },
    format: (value) =>
      value === 0
        ? 'source code, not a test or example'
        : 'test, example, documentation, vendored or generated',
  },
]);

/** Returns the files that the issue mentions, except by a common base name, and the files of its tracebacks. */
function findMentionedFiles({ issue, index }: Candidates): Set<string> {
  const mentioned = issue.paths.flatMap((mention) => (isVague(mention) ? [] : mention.files));
  const inTraceback = issue.frames.flatMap(({ slot }) =>
    slot < 0 ? [] : index.getChunk(slot).path,
  );
  return new Set([...mentioned, ...inTraceback]);
}
