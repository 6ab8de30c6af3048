/** What `package.json`, `tsconfig.json` and their kin say of modules. */
import { basename } from 'node:path/posix';
import type { ManifestEntry } from '../facts.ts';
import type { GraphRules } from '../language.ts';
import { entryOf, fieldOf, fieldsOf, type Json, textsOf } from '../manifests.ts';

const PACKAGE = 'package.json';
const PNPM_WORKSPACE = 'pnpm-workspace.yaml';
/** Fields of a package that name its main file, that of its sources first. */
const MAIN = ['source', 'module', 'main', 'types', 'typings'];
const DEPENDENCIES = [
  'dependencies',
  'devDependencies',
  'peerDependencies',
  'optionalDependencies',
] as const;
/** Conditions whose files are others than those that run in Node: they are asked last. */
const LAST =
  /^(?:types(?:@.*)?|browser|worker|workerd|react-native|react-server|edge-light|deno|bun)$/;
/** Nesting of conditions, and braces of a pattern, beyond which nobody writes. */
const DEEPEST = 16;
const MOST_PATTERNS = 64;
/** UTF-16 units of a `pnpm-workspace.yaml`: reading a megabyte of YAML may take ten seconds. */
const LONGEST_YAML = 128 * 1024;

/** Strings, and comments. One that nothing ends goes on to the end of the text, so that each character is read once. */
const COMMENT = /"(?:[^"\\]+|\\.)*"?|\/\/[^\r\n]*|\/\*.*?(?:\*\/|$)/gs;
/** Strings, and commas that end a list. */
const TRAILING_COMMA = /"(?:[^"\\]+|\\.)*"?|,(?=\s*[}\]])/gs;

export const manifests: GraphRules['manifests'] = {
  has: (name) => name === PACKAGE || name === PNPM_WORKSPACE || isConfig(name),
  async read(path, text) {
    const name = basename(path);
    if (name === PNPM_WORKSPACE)
      return workspacesOf(fieldOf(await parseWorkspace(text), 'packages'));
    return name === PACKAGE
      ? packageEntries(JSON.parse(text))
      : configEntries(parseCommented(text));
  },
};

/** By its base name: `tsconfig.json`, `tsconfig.base.json`, `base.tsconfig.json`, `jsconfig.json`. */
export function isConfig(name: string): boolean {
  return name.endsWith('.json') && (name.includes('tsconfig') || name.startsWith('jsconfig'));
}

async function parseWorkspace(text: string): Promise<Json> {
  if (text.length > LONGEST_YAML) throw new Error('it is longer than any that people write');
  const { parse } = await import('yaml');
  return parse(text);
}

function parseCommented(text: string): Json {
  const bare = blank(blank(text, COMMENT), TRAILING_COMMA);
  // The compiler takes an empty file for an empty configuration.
  return bare.trim() === '' ? {} : JSON.parse(bare);
}

/** Puts a space in the place of each match of a pattern that matches strings too, which stay. */
function blank(text: string, pattern: RegExp): string {
  return text.replace(pattern, (match) => (match.startsWith('"') ? match : ' '));
}

/** `name`, `main`, `workspaces`; `exports` and `imports` of a name each; `dependency` with the path or the package it stands for. */
function packageEntries(json: Json): ManifestEntry[] {
  const workspaces = fieldOf(json, 'workspaces');
  return [
    ...entryOf('name', fieldOf(json, 'name')),
    ...entryOf(
      'main',
      MAIN.flatMap((field) => textsOf(fieldOf(json, field))),
    ),
    ...exportEntries(fieldOf(json, 'exports')),
    ...fieldsOf(fieldOf(json, 'imports')).map(([name, value]) =>
      targetsEntry('imports', name, value),
    ),
    ...workspacesOf(Array.isArray(workspaces) ? workspaces : fieldOf(workspaces, 'packages')),
    ...DEPENDENCIES.flatMap((kind) => fieldsOf(fieldOf(json, kind)).map(dependencyEntry)),
  ];
}

/** `exports` is a table of subpaths, or what the package itself stands for. */
function exportEntries(value: Json): ManifestEntry[] {
  if (value === undefined) return [];
  const fields = fieldsOf(value);
  if (!fields.some(([name]) => name.startsWith('.'))) return [targetsEntry('exports', '.', value)];
  return fields.map(([name, target]) => targetsEntry('exports', name, target));
}

function targetsEntry(kind: string, name: string, value: Json): ManifestEntry {
  return { kind, name, to: [...new Set(targetsOf(value, 0))] };
}

/** The files that a tree of conditions leads to, likeliest first. */
function targetsOf(value: Json, depth: number): string[] {
  if (typeof value === 'string') return [value];
  if (depth === DEEPEST) return [];
  if (Array.isArray(value)) return value.flatMap((one) => targetsOf(one, depth + 1));
  const fields = fieldsOf(value).map(([condition, target]) => {
    return { isLast: LAST.test(condition), targets: targetsOf(target, depth + 1) };
  });
  return [...fields.filter((one) => !one.isLast), ...fields.filter((one) => one.isLast)].flatMap(
    ({ targets }) => targets,
  );
}

/** `file:../a` leads to a folder, `workspace:a@*` to another package, a version and all else out of the repository. */
function dependencyEntry([name, value]: [string, Json]): ManifestEntry {
  const version = typeof value === 'string' ? value : '';
  const path = /^(?:file|link|portal):(.*)$/s.exec(version)?.[1];
  if (path !== undefined) return { kind: 'dependency', name, to: ['path', path] };
  const other = /^workspace:((?:@[^@/]*\/)?[^@/.~^*][^@]*)@/.exec(version)?.[1];
  return { kind: 'dependency', name, to: other === undefined ? [] : ['package', other] };
}

function workspacesOf(value: Json): ManifestEntry[] {
  return entryOf('workspaces', textsOf(value).flatMap(withoutBraces));
}

/** A pattern for each alternative of its braces: `{a,b}/*`. */
function withoutBraces(pattern: string): string[] {
  let patterns = [pattern];
  for (let braces = 0; braces < DEEPEST; braces++) {
    const next = patterns.flatMap((one) => {
      const close = one.indexOf('}');
      const open = one.lastIndexOf('{', close);
      if (close < 0 || open < 0) return [one];
      const alternatives = one.slice(open + 1, close).split(',');
      return alternatives.map((other) => one.slice(0, open) + other + one.slice(close + 1));
    });
    if (next.length > MOST_PATTERNS) break;
    patterns = next;
  }
  return patterns;
}

/** `extends`, `references`, `baseUrl`, `outDir`, `rootDir`; `paths` of a pattern each. */
function configEntries(json: Json): ManifestEntry[] {
  const options = fieldOf(json, 'compilerOptions');
  const references = fieldOf(json, 'references');
  const referenced = Array.isArray(references)
    ? references.flatMap((one) => textsOf(fieldOf(one, 'path')))
    : [];
  return [
    ...entryOf('extends', fieldOf(json, 'extends')),
    ...entryOf('references', referenced),
    ...['baseUrl', 'outDir', 'declarationDir', 'rootDir'].flatMap((name) =>
      entryOf(name, fieldOf(options, name)),
    ),
    ...fieldsOf(fieldOf(options, 'paths')).map(([name, value]) => {
      return { kind: 'paths', name, to: textsOf(value) };
    }),
  ];
}
