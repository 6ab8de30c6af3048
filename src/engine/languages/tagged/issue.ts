/** Syntax of issues about a language that is read by its tags: locations in any of the usual forms, and names. */
import type { IssueSyntax } from '../issue-syntax.ts';
import { findUses } from '../scripts.ts';
import {
  createFencePattern,
  createFramePatterns,
  createNamesPattern,
  createSourcePattern,
} from './patterns.ts';
import type { LanguageRow } from './row.ts';

const SEPARATOR = /::|[.:/#]|->/g;
/** Line that is code in most languages. */
const CODE_LINE = /^(?:[\w.:$]{1,120}\(.{0,200}\);?|[\w.$]{1,80} (?:=|:=|<-) .{1,200};)$/;

/** Attribute of XML, the only label in all languages. */
const LABEL = /="/y;

export function createTaggedIssueSyntax(
  row: LanguageRow,
  keywords: ReadonlySet<string>,
): IssueSyntax {
  const sourceFile = createSourcePattern(row);
  const fence = createFencePattern(row);
  const qualifiedName = createNamesPattern(row);
  return {
    codeLine: CODE_LINE,
    prompt: /^(?!)/,
    input: /^(?!)/,
    traceback: { begins: /^(?!)/, continues: /^(?!)/ },
    innermost: 'first',
    frames: createFramePatterns(row),
    moduleFrame: '<module>',
    error: /^(?:\w{1,40} )?(?:error|exception): (?<message>[^\n]{3,300})/gim,
    environment: { heading: /^(?!)/, line: /^(?!)/ },
    trained: null,
    qualifiedName,
    separator: SEPARATOR,
    specialName: /^(?!)/,
    words: { keywords, label: LABEL, fence, hyphens: row.wordCharacters?.includes('-') },
    sourceFile,
    sourceRoots: new Set(['src', 'lib', 'source', 'sources', 'app']),
    getModule: (path) => (sourceFile.test(path) ? path.replace(/\.[^./]+$/, '') : ''),
    readScript: (code) => ({ bindings: [], uses: findUses(code, qualifiedName, SEPARATOR) }),
  };
}
