/** Patterns made from the words of a language's row. Every word is escaped, and `*` stands for any text within a name. */
import type { LanguageRow } from './row.ts';

/** Pattern that matches nothing. */
export const NEVER = /^(?!)/;
const escapeWord = (word: string) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
const escapeWords = (words: readonly string[]) => words.map(escapeWord).join('|');

const escapeClass = (characters: string) => characters.replace(/[\\^\]-]/g, '\\$&');
const compile = (source: string, flags = '') => new RegExp(source, flags);

/** Returns a pattern of whole names, such as `*Tests`. */
export function createNamePattern(globs: readonly string[] = []): RegExp {
  if (globs.length === 0) return NEVER;
  return compile(`^(?:${globs.map(translateGlob).join('|')})$`);
}

/** Returns a pattern of the literal starts and ends of names: those of `*Tests` and `test_*`. */
export function createMarkPattern(globs: readonly string[] = []): RegExp {
  const marks = globs.flatMap((glob) => {
    const [before = '', after = ''] = glob.split('*');
    return [before && `^${escapeWord(before)}`, after && `${escapeWord(after)}$`];
  });
  const pattern = marks.filter(Boolean).join('|');
  return pattern === '' ? NEVER : compile(pattern, 'g');
}

/** Returns a pattern of paths below one of these folders, in lower case and with a slash at both ends; undefined for none. */
export function createFolderPattern(names: readonly string[] = []): RegExp | undefined {
  if (names.length === 0) return undefined;
  return compile(`/(?:${escapeWords(names.map((name) => name.toLowerCase()))})/`);
}

/** Returns a pattern of paths in lower case that end with one of these names; undefined for none. */
export function createPathPattern(globs: readonly string[] = []): RegExp | undefined {
  if (globs.length === 0) return undefined;
  return compile(`/(?:${globs.map((glob) => translateGlob(glob.toLowerCase())).join('|')})$`);
}

/** Returns patterns of the first lines of definitions. */
export function createHeaderPatterns({
  headers = {},
  separators = [],
  wordCharacters = '',
}: LanguageRow): RegExp[] {
  const owner = separators.length === 0 ? '' : `(?:[\\w$]{1,80}(?:${escapeWords(separators)}))?`;
  return (['function', 'class'] as const).flatMap((kind) => {
    const words = headers[kind] ?? [];
    if (words.length === 0) return [];
    const before = `[ \\t]*(?:[\\w@]{1,80}[ \\t]{1,8}){0,6}?(?:${escapeWords(words)})[ \\t]{1,8}`;
    return [
      compile(
        `${before}${owner}(?<${kind}>[\\p{L}_$][\\p{L}\\p{N}_$'${escapeClass(wordCharacters)}]*[?!]?)`,
        'uy',
      ),
    ];
  });
}

/** Returns a pattern of these words; null for none. */
export function createWordPattern(words: readonly string[] = []): RegExp | null {
  return words.length === 0 ? null : compile(`(?:${escapeWords(words)})(?!\\w)`, 'g');
}

/** Returns a pattern of the text between the parts of a name. With more separators, paths and labels would be taken for names. */
export function createSeparatorPattern({ separators = [] }: LanguageRow): RegExp {
  return compile(escapeWords([...new Set(['::', '.', ...separators])]), 'g');
}

/** Returns a pattern of qualified names. */
export function createNamesPattern(row: LanguageRow): RegExp {
  const word = `[\\p{L}_][\\p{L}\\p{M}\\p{N}_${escapeClass(row.wordCharacters ?? '')}]*`;
  return compile(`${word}(?:(?:${createSeparatorPattern(row).source})${word})*[?!]?`, 'gu');
}

/** Returns a pattern of the info strings of code blocks. */
export function createFencePattern({ name, monaco = name, fences = [] }: LanguageRow): RegExp {
  return compile(`^(?:${escapeWords([name, monaco, ...fences])})$`);
}

/** Returns a pattern of the ends of source files. */
export function createSourcePattern({ extensions, fileNames = [] }: LanguageRow): RegExp {
  return compile(`(?:${escapeWords([...extensions, ...fileNames])})$`);
}

/**
 * Returns patterns of locations in output: `cart.swift:12`, `cart.pl line 12`, `File "cart.ml", line 12`,
 * `{file,"cart.erl"},{line,12}`.
 */
export function createFramePatterns(row: LanguageRow): RegExp[] {
  const file = createSourcePattern(row).source.slice(0, -1);
  const path = `(?<![\\w./\\\\-])(?<path>(?:[A-Za-z]:)?[\\w./\\\\@+-]{0,400}${file})`;
  return [compile(`${path}(?::|",? line |"\\},\\{line,|,? line )(?<line>\\d{1,7})(?!\\d)`, 'g')];
}

function translateGlob(glob: string): string {
  return glob.split('*').map(escapeWord).join('[^/]{0,400}');
}
