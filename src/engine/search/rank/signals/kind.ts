/** Signals of what a chunk is, whatever the issue. They give no reasons. */
import { languageOf } from '../../../languages/index.ts';
import type { Candidates } from '../../gather/gather.ts';
import { isVague } from '../../gather/locations.ts';
import { measureEach, withFamily } from './signal.ts';
import { asNumber, asYesOrNo } from './wording.ts';

export const KIND_SIGNALS = withFamily('kind', [
  /** Natural logarithm of the length of the chunk's text: there is more to edit in a long function. */
  {
    name: 'length',
    title: 'Length of its code',
    measure: (candidates) => measureEach(candidates, (chunk) => Math.log(1 + chunk.length)),
    format: asNumber(1),
  },
  /** 1 for a class: fixes change its methods more often than its header and its statements. */
  {
    name: 'class',
    title: 'A class',
    measure: (candidates) => measureEach(candidates, ({ kind }) => (kind === 'class' ? 1 : 0)),
    format: asYesOrNo,
  },
  {
    name: 'module',
    title: 'Code outside definitions',
    measure: (candidates) => measureEach(candidates, ({ kind }) => (kind === 'module' ? 1 : 0)),
    format: asYesOrNo,
  },
  /** 1 for a name that is not for callers from outside, as its language marks them. */
  {
    name: 'private',
    title: 'A private name',
    measure: (candidates) =>
      measureEach(candidates, ({ name, path }) =>
        languageOf(path)?.names.isPrivate(name) ? 1 : 0,
      ),
    format: asYesOrNo,
  },
  /** 1 for a method that the language itself calls; constructors are not counted. */
  {
    name: 'special',
    title: 'A special method',
    measure: (candidates) =>
      measureEach(candidates, ({ name, path }) =>
        languageOf(path)?.names.isSpecial(name) ? 1 : 0,
      ),
    format: asYesOrNo,
  },
  /** ln of how many chunks share the simple name. */
  {
    name: 'commonName',
    title: 'How many share its name',
    measure: (candidates) =>
      measureEach(candidates, ({ qualifiedName }) => {
        const simple = qualifiedName.slice(qualifiedName.lastIndexOf('.') + 1);
        return Math.log(Math.max(1, candidates.index.slotsByName(simple).length));
      }),
    format: (value) => String(Math.round(Math.exp(value))),
  },
  /**
   * 1 for tests, examples and documentation, and for vendored and generated code, unless the issue points at its file: what
   * nobody edits here may still be what the issue is about.
   */
  {
    name: 'role',
    title: 'Test, example, doc, vendored or generated',
    measure(candidates) {
      const pointedAt = filesPointedAt(candidates);
      return measureEach(candidates, (chunk) => {
        if (chunk.role === 'source') return 0;
        const isForeign = chunk.role === 'vendored' || chunk.role === 'generated';
        return isForeign && pointedAt.has(chunk.path) ? 0 : 1;
      });
    },
    format: asYesOrNo,
  },
]);

/** Returns the files that the issue names, without base names that many have, and those that its tracebacks go through. */
function filesPointedAt({ issue, index }: Candidates): Set<string> {
  const named = issue.paths.flatMap((mention) => (isVague(mention) ? [] : mention.files));
  const passed = issue.frames.flatMap(({ slot }) => (slot < 0 ? [] : index.chunk(slot).path));
  return new Set([...named, ...passed]);
}
