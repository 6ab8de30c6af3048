/**
 * Reads `linguist-vendored` and `linguist-generated` from a repository's `.gitattributes`. Code hosts use these attributes
 * to leave files out of their statistics. They take precedence over Locus's own rules.
 */
import { makeMatcher, splitLines } from './gitignore.ts';
import { MAX_ATTRIBUTE_RULES } from './limits.ts';

export interface DeclaredTraits {
  vendored?: boolean;
  generated?: boolean;
}

/** Line of a `.gitattributes`. A null value cancels what earlier lines set. */
export interface AttributeRule {
  /** Folder of the `.gitattributes`, '' for the root. */
  folder: string;
  pattern: string;
  vendored?: boolean | null;
  generated?: boolean | null;
}

export interface AttributeFile {
  folder: string;
  text: string;
}

export function isAttributeFile(path: string): boolean {
  return path === '.gitattributes' || path.endsWith('/.gitattributes');
}

/** Returns the rules about roles in a repository's `.gitattributes` files, outer folders first; at most 200. Pure. */
export function parseAttributeRules(files: readonly AttributeFile[]): AttributeRule[] {
  return files
    .toSorted((a, b) => getDepth(a) - getDepth(b) || (a.folder < b.folder ? -1 : 1))
    .flatMap(({ folder, text }) => splitLines(text).flatMap((line) => parseRule(line, folder)))
    .slice(0, MAX_ATTRIBUTE_RULES);
}

/**
 * Creates a function that returns the attributes of a path. For each attribute, the last matching rule applies. Unlike in
 * git, a rule for a folder applies to everything in it, since that is what people mean by `vendor/*`.
 */
export function createTraitsReader(
  rules: readonly AttributeRule[],
): (path: string) => DeclaredTraits {
  const rulesWithMatch = rules.toReversed().map((rule) => {
    const matcher = makeMatcher([rule.pattern]);
    const start = rule.folder === '' ? '' : `${rule.folder}/`;
    const matches = (path: string) =>
      path.startsWith(start) && matcher.ignores(path.slice(start.length));
    return { ...rule, matches };
  });
  return (path) => {
    const vendored = rulesWithMatch.find(
      (rule) => rule.vendored !== undefined && rule.matches(path),
    );
    const generated = rulesWithMatch.find(
      (rule) => rule.generated !== undefined && rule.matches(path),
    );
    return {
      vendored: vendored?.vendored ?? undefined,
      generated: generated?.generated ?? undefined,
    };
  };
}

function getDepth({ folder }: AttributeFile): number {
  return folder === '' ? 0 : folder.split('/').length;
}

/** Parses a line `pattern attribute attribute=value -attribute !attribute`. Comments, macros and quoted patterns give no rule. */
function parseRule(line: string, folder: string): AttributeRule[] {
  const [pattern = '', ...attributes] = line.trim().split(/[ \t]+/);
  if (/^(?:[#!"]|\[attr\]|$)/.test(pattern)) return [];
  const vendored = findState('linguist-vendored', attributes);
  const generated = findState('linguist-generated', attributes);
  if (vendored === undefined && generated === undefined) return [];
  return [{ folder, pattern, vendored, generated }];
}

/** Returns the state that a line gives to an attribute: true, false, null for `!attribute`, or undefined if it is not mentioned. */
function findState(attribute: string, attributes: readonly string[]): boolean | null | undefined {
  const last = attributes.findLast(
    (written) => written.replace(/^[-!]/, '').split('=', 1)[0] === attribute,
  );
  if (last === undefined) return undefined;
  if (last.startsWith('!')) return null;
  return !last.startsWith('-') && !/=false$/i.test(last);
}
