/**
 * What a repository's `.gitattributes` say of its files: `linguist-vendored` and `linguist-generated`, by which hosts
 * leave files out of their counts. The repository's own word goes before any rule.
 */
import { linesOf, makeMatcher } from './gitignore.ts';
import { MOST_ATTRIBUTE_RULES } from './limits.ts';

export interface Declared {
  vendored?: boolean;
  generated?: boolean;
}

/** A line of a `.gitattributes`; null takes back what lines before it say. */
export interface AttributeRule {
  /** The folder of its file, '' for the root. */
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

/** The rules of a repository's files that bear on roles, of outer folders first; at most 200. Pure. */
export function attributeRules(files: readonly AttributeFile[]): AttributeRule[] {
  return files
    .toSorted((a, b) => depthOf(a) - depthOf(b) || (a.folder < b.folder ? -1 : 1))
    .flatMap(({ folder, text }) => linesOf(text).flatMap((line) => ruleOf(line, folder)))
    .slice(0, MOST_ATTRIBUTE_RULES);
}

/**
 * What the rules say of a path: of each attribute, the last that fits. Other than for git, what is said of a folder
 * holds for all in it: `vendor/*` is meant so.
 */
export function declaredBy(rules: readonly AttributeRule[]): (path: string) => Declared {
  const matched = rules.toReversed().map((rule) => {
    const matcher = makeMatcher([rule.pattern]);
    const start = rule.folder === '' ? '' : `${rule.folder}/`;
    const fits = (path: string) =>
      path.startsWith(start) && matcher.ignores(path.slice(start.length));
    return { ...rule, fits };
  });
  return (path) => {
    const vendored = matched.find((rule) => rule.vendored !== undefined && rule.fits(path));
    const generated = matched.find((rule) => rule.generated !== undefined && rule.fits(path));
    return {
      vendored: vendored?.vendored ?? undefined,
      generated: generated?.generated ?? undefined,
    };
  };
}

function depthOf({ folder }: AttributeFile): number {
  return folder === '' ? 0 : folder.split('/').length;
}

/** A line `pattern attribute attribute=value -attribute !attribute`. Comments, macros and quoted patterns give none. */
function ruleOf(line: string, folder: string): AttributeRule[] {
  const [pattern = '', ...attributes] = line.trim().split(/[ \t]+/);
  if (/^(?:[#!"]|\[attr\]|$)/.test(pattern)) return [];
  const vendored = stateOf('linguist-vendored', attributes);
  const generated = stateOf('linguist-generated', attributes);
  if (vendored === undefined && generated === undefined) return [];
  return [{ folder, pattern, vendored, generated }];
}

/** The state that a line gives to an attribute: set, unset, unspecified again, or undefined where it has none of it. */
function stateOf(attribute: string, attributes: readonly string[]): boolean | null | undefined {
  const last = attributes.findLast(
    (written) => written.replace(/^[-!]/, '').split('=', 1)[0] === attribute,
  );
  if (last === undefined) return undefined;
  if (last.startsWith('!')) return null;
  return !last.startsWith('-') && !/=false$/i.test(last);
}
