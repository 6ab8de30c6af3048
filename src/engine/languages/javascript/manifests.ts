/** Reads modules from `package.json`, `tsconfig.json` and similar files. */
import { basename } from 'node:path/posix';
import type { ManifestEntry } from '../facts.ts';
import type { GraphRules } from '../language.ts';
import { createEntries, getField, getFields, getTexts, type JsonValue } from '../manifests.ts';

const PACKAGE = 'package.json';
const PNPM_WORKSPACE = 'pnpm-workspace.yaml';
/** Fields of a package that name its main file. The one of the source file comes first. */
const MAIN = ['source', 'module', 'main', 'types', 'typings'];
const DEPENDENCIES = [
  'dependencies',
  'devDependencies',
  'peerDependencies',
  'optionalDependencies',
] as const;
/** Conditions whose files do not run in Node, which are tried last. */
const LAST =
  /^(?:types(?:@.*)?|browser|worker|workerd|react-native|react-server|edge-light|deno|bun)$/;
/** Maximum nesting of conditions, and maximum number of braces in a pattern. Nobody writes more. */
const MAX_DEPTH = 16;
const MAX_PATTERNS = 64;
/** Maximum length of a `pnpm-workspace.yaml` in UTF-16 units, since reading a megabyte of YAML may take ten seconds. */
const MAX_YAML = 128 * 1024;

/** Strings and comments. An unterminated one extends to the end of the text, so that each character is read once. */
const COMMENT = /"(?:[^"\\]+|\\.)*"?|\/\/[^\r\n]*|\/\*.*?(?:\*\/|$)/gs;
/** Strings, and trailing commas. */
const TRAILING_COMMA = /"(?:[^"\\]+|\\.)*"?|,(?=\s*[}\]])/gs;

export const manifests: GraphRules['manifests'] = {
  has: (name) => name === PACKAGE || name === PNPM_WORKSPACE || isConfig(name),
  async read(path, text) {
    const name = basename(path);
    if (name === PNPM_WORKSPACE)
      return listWorkspaces(getField(await parseWorkspace(text), 'packages'));
    return name === PACKAGE
      ? createPackageEntries(JSON.parse(text))
      : createConfigEntries(parseCommented(text));
  },
};

/** Returns true for the base names `tsconfig.json`, `tsconfig.base.json`, `base.tsconfig.json`, `jsconfig.json` and the like. */
export function isConfig(name: string): boolean {
  return name.endsWith('.json') && (name.includes('tsconfig') || name.startsWith('jsconfig'));
}

async function parseWorkspace(text: string): Promise<JsonValue> {
  if (text.length > MAX_YAML) throw new Error('it is longer than any that people write');
  const { parse } = await import('yaml');
  return parse(text);
}

function parseCommented(text: string): JsonValue {
  const bare = blankMatches(blankMatches(text, COMMENT), TRAILING_COMMA);
  // The compiler treats an empty file as an empty configuration.
  return bare.trim() === '' ? {} : JSON.parse(bare);
}

/** Replaces each match of a pattern by a space, except for strings. */
function blankMatches(text: string, pattern: RegExp): string {
  return text.replace(pattern, (match) => (match.startsWith('"') ? match : ' '));
}

/** Creates `name`, `main` and `workspaces`, one entry for each name in `exports` and `imports`, and `dependency` with its source. */
function createPackageEntries(json: JsonValue): ManifestEntry[] {
  const workspaces = getField(json, 'workspaces');
  return [
    ...createEntries('name', getField(json, 'name')),
    ...createEntries(
      'main',
      MAIN.flatMap((field) => getTexts(getField(json, field))),
    ),
    ...createExportEntries(getField(json, 'exports')),
    ...getFields(getField(json, 'imports')).map(([name, value]) =>
      createTargetsEntry('imports', name, value),
    ),
    ...listWorkspaces(Array.isArray(workspaces) ? workspaces : getField(workspaces, 'packages')),
    ...DEPENDENCIES.flatMap((kind) => getFields(getField(json, kind)).map(createDependencyEntry)),
  ];
}

/** Creates entries for `exports`, which is a table of subpaths, or the target of the package itself. */
function createExportEntries(value: JsonValue): ManifestEntry[] {
  if (value === undefined) return [];
  const fields = getFields(value);
  if (!fields.some(([name]) => name.startsWith('.')))
    return [createTargetsEntry('exports', '.', value)];
  return fields.map(([name, target]) => createTargetsEntry('exports', name, target));
}

function createTargetsEntry(kind: string, name: string, value: JsonValue): ManifestEntry {
  return { kind, name, to: [...new Set(listTargets(value, 0))] };
}

/** Returns the files in a tree of conditions, likeliest first. */
function listTargets(value: JsonValue, depth: number): string[] {
  if (typeof value === 'string') return [value];
  if (depth === MAX_DEPTH) return [];
  if (Array.isArray(value)) return value.flatMap((one) => listTargets(one, depth + 1));
  const fields = getFields(value).map(([condition, target]) => {
    return { isLast: LAST.test(condition), targets: listTargets(target, depth + 1) };
  });
  return [...fields.filter((one) => !one.isLast), ...fields.filter((one) => one.isLast)].flatMap(
    ({ targets }) => targets,
  );
}

/** Creates an entry for a dependency: `file:../a` is a folder, `workspace:a@*` a package of the repository, all else is external. */
function createDependencyEntry([name, value]: [string, JsonValue]): ManifestEntry {
  const version = typeof value === 'string' ? value : '';
  const path = /^(?:file|link|portal):(.*)$/s.exec(version)?.[1];
  if (path !== undefined) return { kind: 'dependency', name, to: ['path', path] };
  const other = /^workspace:((?:@[^@/]*\/)?[^@/.~^*][^@]*)@/.exec(version)?.[1];
  return { kind: 'dependency', name, to: other === undefined ? [] : ['package', other] };
}

function listWorkspaces(value: JsonValue): ManifestEntry[] {
  return createEntries('workspaces', getTexts(value).flatMap(expandBraces));
}

/** Returns a pattern for each alternative of braces: `{a,b}/*`. */
function expandBraces(pattern: string): string[] {
  let patterns = [pattern];
  for (let braces = 0; braces < MAX_DEPTH; braces++) {
    const next = patterns.flatMap((one) => {
      const close = one.indexOf('}');
      const open = one.lastIndexOf('{', close);
      if (close < 0 || open < 0) return [one];
      const alternatives = one.slice(open + 1, close).split(',');
      return alternatives.map((other) => one.slice(0, open) + other + one.slice(close + 1));
    });
    if (next.length > MAX_PATTERNS) break;
    patterns = next;
  }
  return patterns;
}

/** Creates `extends`, `references`, `baseUrl`, `outDir`, `rootDir`, and one entry for each pattern in `paths`. */
function createConfigEntries(json: JsonValue): ManifestEntry[] {
  const options = getField(json, 'compilerOptions');
  const references = getField(json, 'references');
  const referenced = Array.isArray(references)
    ? references.flatMap((one) => getTexts(getField(one, 'path')))
    : [];
  return [
    ...createEntries('extends', getField(json, 'extends')),
    ...createEntries('references', referenced),
    ...['baseUrl', 'outDir', 'declarationDir', 'rootDir'].flatMap((name) =>
      createEntries(name, getField(options, name)),
    ),
    ...getFields(getField(options, 'paths')).map(([name, value]) => {
      return { kind: 'paths', name, to: getTexts(value) };
    }),
  ];
}
