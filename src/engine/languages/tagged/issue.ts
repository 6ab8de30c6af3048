/** Syntax of issues about a language that is read by its tags: locations in any of the usual forms, and names. */
import type { IssueSyntax } from '../issue-syntax.ts';
import { findUses } from '../scripts.ts';
import {
  createFencePattern,
  createFramePatterns,
  createNamesPattern,
  createSeparatorPattern,
  createSourcePattern,
  NEVER,
} from './patterns.ts';
import type { LanguageRow } from './row.ts';

const ERROR = /^(?:\w{1,40} )?(?:error|exception): (?<message>[^\n]{3,300})/gim;
const NO_ERROR = /(?!)(?<message>)/g;

/** Attribute of XML, the only label in all languages. */
const LABEL = /="/y;

/**
 * Creates the syntax of a language. It adds little to issues of others, since most repositories have a Makefile or a script: only
 * locations in its own files, qualified names, and, for languages with tests, errors.
 */
export function createTaggedIssueSyntax(
  row: LanguageRow,
  keywords: ReadonlySet<string>,
): IssueSyntax {
  const sourceFile = createSourcePattern(row);
  const fence = createFencePattern(row);
  const qualifiedName = createNamesPattern(row);
  const separator = createSeparatorPattern(row);
  return {
    codeLine: NEVER,
    prompt: NEVER,
    input: NEVER,
    traceback: { begins: NEVER, continues: NEVER },
    innermost: 'first',
    frames: createFramePatterns(row),
    moduleFrame: '<module>',
    error: row.tests === undefined ? NO_ERROR : ERROR,
    environment: { heading: NEVER, line: NEVER },
    trained: null,
    qualifiedName,
    separator,
    specialName: NEVER,
    words: { keywords, label: LABEL, fence, hyphens: row.wordCharacters?.includes('-') },
    sourceFile,
    sourceRoots: new Set(['src', 'lib', 'source', 'sources', 'app']),
    getModule: (path) => (sourceFile.test(path) ? path.replace(/\.[^./]+$/, '') : ''),
    readScript: (code) => ({ bindings: [], uses: findUses(code, qualifiedName, separator) }),
  };
}
