/** Finds sections by names that an issue writes as code: keys of configuration, selectors of style sheets, headings. */

import type { IssueSpan } from '../../../shared/evidence.ts';
import { getOrAdd } from '../../../shared/get-or-add.ts';
import type { Passage } from '../../issue/passages.ts';
import { createIssueSpan } from '../../issue/passages.ts';
import { findSectionForm } from '../../sections/forms.ts';
import type { IndexedChunk, SearchIndex } from '../../snapshot/types.ts';
import { cacheUntilEdited } from './chunks.ts';

/** Inline code in Markdown, on one line. */
const CODE_SPAN = /`([^`\n]{3,100})`/g;
/** Marks around a name that a person may leave out: of selectors, tables and keys. */
const MARKS = /^[\s.#@[\]{}"'-]+|[\s:[\]{}"']+$/g;
/** Characters between the names of a selector or a key. */
const SEPARATORS = /[\s,>+~()[\]{}"'=]+/;
const MIN_NAME = 4;
/** A name that more sections have points to none. */
const MAX_SECTIONS = 3;
const MAX_SPANS = 100;

/** Returns the sections that an issue names in inline code, with the first mention of each. Names of code do not count. */
export function findNamedSections(
  passages: readonly Passage[],
  index: SearchIndex,
): Map<number, IssueSpan> {
  const named = new Map<number, IssueSpan>();
  const spans = passages.flatMap((passage) =>
    Array.from(passage.text.matchAll(CODE_SPAN).take(MAX_SPANS), ({ 0: whole, index: start }) =>
      createIssueSpan(passage, start + 1, start + whole.length - 1),
    ),
  );
  for (const span of spans.slice(0, MAX_SPANS)) {
    const name = span.text.replace(MARKS, '');
    const slots = getSectionNames(index).get(name.toLowerCase()) ?? [];
    if (slots.length > MAX_SECTIONS || index.getSlotsByName(name).length > 0) continue;
    for (const slot of slots) if (!named.has(slot)) named.set(slot, span);
  }
  return named;
}

const getSectionNames = cacheUntilEdited((index) => {
  const byName = new Map<string, number[]>();
  for (const path of index.getSectionPaths())
    for (const slot of index.getSlotsByPath(path))
      for (const name of listNames(index.getChunk(slot)))
        getOrAdd(byName, name, () => []).push(slot);
  return byName;
});

/** Lists the names of a section in lower case: its qualified name, its name, parts of a selector, and keys in it, which are its alias. */
function listNames({ path, name, qualifiedName, alias = '' }: IndexedChunk): Set<string> {
  const isText = findSectionForm(path)?.group === 'documentation';
  const parts = isText ? [] : name.split(SEPARATORS);
  const names = [qualifiedName, name, ...parts, ...alias.split('\n')].map((one) =>
    one.replace(MARKS, '').toLowerCase(),
  );
  return new Set(names.filter((one) => one.length >= MIN_NAME));
}
