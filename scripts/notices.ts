/**
 * Collects the licenses of everything that a package of Locus contains: the engine's dependencies, and code and fonts bundled into
 * the app. Electron and Chromium bring their own notices.
 */

import { createHash } from 'node:crypto';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BUNDLED_GRAMMARS, GRAMMAR_COLLECTIONS } from '../src/engine/lab.ts';

export interface Notice {
  name: string;
  version: string;
  /** SPDX expression, as the package states it. */
  license: string;
  text: string;
}

/** Files in `resources/licenses` for packages that come without a license text. */
const TEXTS: Record<string, string[]> = {
  '@aws-sdk/credential-provider-http': ['aws-sdk.txt'],
  '@aws-sdk/credential-provider-login': ['aws-sdk.txt'],
  '@aws-sdk/nested-clients': ['aws-sdk.txt'],
  'generic-pool': ['generic-pool.txt'],
  'lazy-val': ['lazy-val.txt'],
  'onnxruntime-common': ['onnxruntime.txt'],
  'onnxruntime-node': ['onnxruntime.txt', 'onnxruntime-third-party.txt'],
  'react-remove-scroll-bar': ['react-remove-scroll-bar.txt'],
};

/** Component inside a package's fonts or machine code, with a license of its own. */
interface Component {
  name: string;
  license: string;
  /** Path of its license, relative to the root. */
  text: string;
  /** Copyright line, if it differs from the package's. */
  version?: string;
}

const component = (name: string, license: string, file: string): Component => ({
  name,
  license,
  text: `resources/licenses/${file}`,
});

/** Licenses of grammars, other than MIT. */
const GRAMMAR_LICENSES: Readonly<Record<string, string>> = {
  'tree-sitter-clojure': 'CC0-1.0',
  'tree-sitter-elixir': 'Apache-2.0',
  'tree-sitter-erlang': 'Apache-2.0',
  'tree-sitter-hcl': 'Apache-2.0',
};

/**
 * Components of packages that ship fonts, machine code or WebAssembly, according to their sources and build files. Dependencies of
 * such a package, like node-addon-api, have notices of their own.
 */
const COMPONENTS: [name: RegExp, components: Component[]][] = [
  [/^@fontsource-variable\//, []],
  // The module is only a parser; its runtime is web-tree-sitter's.
  [/^(?:@tree-sitter-grammars\/)?tree-sitter-/, []],
  ...Object.entries(GRAMMAR_COLLECTIONS).map(([collection, versions]): [RegExp, Component[]] => [
    new RegExp(`^${collection}$`),
    Object.entries(versions).map(([name, version]) => ({
      ...component(name, GRAMMAR_LICENSES[name] ?? 'MIT', `${name}.txt`),
      version,
    })),
  ]),
  [
    /^web-tree-sitter$/,
    [
      component('ICU', 'Unicode', 'icu.txt'),
      component('musl', 'MIT', 'musl.txt'),
      component('Emscripten', 'MIT', 'emscripten.txt'),
    ],
  ],
  // Its license files cover its crates and libdbus.
  [/^@napi-rs\/keyring-/, []],
  [/^@parcel\/watcher-/, []],
  [
    /^@vscode\/ripgrep-/,
    [
      component('ripgrep', 'MIT', 'ripgrep.txt'),
      component('PCRE2', 'BSD-3-Clause WITH PCRE2-exception', 'pcre2.txt'),
      component('musl', 'MIT', 'musl.txt'),
    ],
  ],
  [/^better-sqlite3$/, [component('SQLite', 'blessing', 'sqlite.txt')]],
  // Its license files include its third-party notices.
  [/^onnxruntime-node$/, []],
  [
    /^usearch$/,
    [
      { name: 'NumKong', license: 'Apache-2.0', text: 'node_modules/usearch/numkong/LICENSE' },
      component('SLEEF', 'BSL-1.0', 'sleef.txt'),
    ],
  ],
  [/^monaco-editor$/, [component('Codicons', 'CC-BY-4.0 AND MIT', 'codicons.txt')]],
];

/** Names of fonts, machine code and WebAssembly. */
const COMPILED = '**/{*.{node,wasm,so,so.*,dylib,dll,ttf,otf,woff,woff2},rg,rg.exe}';

const LICENCE_FILE = /^(?:licen[cs]e|copying|notice|third-?party)/i;
const IMPORT = /(?:from |import |import\()['"]([^.'"][^'"]*)['"]/g;

/**
 * Returns a notice for each installed package that the engine depends on or that the app bundles, and for the components
 * of each, dependencies of dependencies included, sorted by name.
 * @param copied packages of an npm package. Builds for other platforms are left out.
 * @throws Error with the name of a package without a license text, or with unlisted components.
 */
export function collectNotices(root: string, copied: CopiedFolders = new Map()): Notice[] {
  const notices = createNotices(root, listPackages(root, copied));
  return sortByName([...notices, ...bundledGrammarNotices(root)]);
}

/**
 * Returns a notice for each package that a bundler has read.
 * @param modules paths of the modules in a bundle
 */
export function collectBundledNotices(root: string, modules: readonly string[]): Notice[] {
  const names = modules.flatMap(
    (path) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path.replaceAll('\\', '/'))?.[1] ?? [],
  );
  const folderOf = (name: string) => join(root, 'node_modules', name);
  return createNotices(
    root,
    Array.from(new Set(names), (name) => ({ name, folder: folderOf(name) })),
  );
}

function createNotices(root: string, packages: { name: string; folder: string }[]): Notice[] {
  const notices = packages.flatMap(({ name, folder }) => {
    // An npm alias: the manifest has the real name.
    const manifest = manifestIn(folder);
    const { version, license } = manifest;
    const own = { name: manifest.name, version, license, text: readLicense(name, folder, root) };
    return [own, ...componentNotices(manifest, folder, root)];
  });
  return sortByName(notices);
}

const sortByName = (notices: readonly Notice[]): Notice[] =>
  notices.toSorted((a, b) => (a.name < b.name ? -1 : 1));

/** Folder of grammars that come from no installed package. */
const GRAMMARS = 'src/engine/languages/grammars';

function bundledGrammarNotices(root: string): Notice[] {
  if (!existsSync(join(root, GRAMMARS))) return [];
  return Object.entries(BUNDLED_GRAMMARS).map(([name, version]) => {
    const { license, text } = component(name, GRAMMAR_LICENSES[name] ?? 'MIT', `${name}.txt`);
    return { name, version, license, text: readFileSync(join(root, text), 'utf8').trim() };
  });
}

/** Folders of packages that were copied into an npm package, by name. */
type CopiedFolders = ReadonlyMap<string, { from: string }>;

/** Packages with a build for one platform. */
const PLATFORM_BUILD = /^@(?:napi-rs\/keyring|parcel\/watcher|vscode\/ripgrep)-/;

/** Returns the installed packages that are shipped, by the names under which they are imported. */
function listPackages(root: string, copied: CopiedFolders): { name: string; folder: string }[] {
  const wanted = [...Object.keys(manifestIn(root).dependencies ?? {}), ...bundledBy(root)];
  const found = new Map<string, string>();
  const open = wanted.map((name) => ({ name, from: root }));
  for (const { name, from } of open) {
    const folder = copied.get(name)?.from ?? resolvePackage(name, from, root);
    // An optional package for another platform.
    if (folder === null || found.has(folder)) continue;
    if (copied.size > 0 && PLATFORM_BUILD.test(name) && !copied.has(name)) continue;
    found.set(folder, name);
    const { dependencies, optionalDependencies } = manifestIn(folder);
    const names = Object.keys({ ...dependencies, ...optionalDependencies });
    // The dependencies of a package outside the project are those that the project installs.
    const next = folder.startsWith(root) ? folder : root;
    open.push(...names.map((name) => ({ name, from: next })));
  }
  return Array.from(found, ([folder, name]) => ({ name, folder }));
}

/**
 * Checks that all packaged fonts and machine code belong to packages with a notice.
 * @throws Error with the path of the first file that does not.
 */
export function checkNoticed(
  root: string,
  folder: string,
  copied: CopiedFolders = new Map(),
): void {
  const noticed = listPackages(root, copied).flatMap((one) => compiledIn(one.folder));
  noticed.push(
    ...Object.keys(BUNDLED_GRAMMARS).map((name) => join(root, GRAMMARS, `${name}.wasm`)),
  );
  const known = new Set(noticed.map(digestOf));
  const stranger = compiledIn(folder).find((path) => !known.has(digestOf(path)));
  if (stranger !== undefined)
    throw new Error(`${stranger} is of no package that has a notice: scripts/notices.ts`);
}

const compiledIn = (folder: string): string[] =>
  globSync(COMPILED, { cwd: folder }).map((path) => join(folder, path));

const digestOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

/** File of an artifact with its notices. */
export const NOTICES = 'THIRD-PARTY-NOTICES.txt';

/** Returns notices as one text. */
export function renderNotices(notices: readonly Notice[]): string {
  const intro = 'This contains the following works of others. Locus itself: see LICENSE.\n';
  const parts = notices.map(
    ({ name, version, license, text }) =>
      `${'='.repeat(80)}\n${name} ${version} (${license})\n${'='.repeat(80)}\n\n${text.trim()}\n`,
  );
  return [intro, ...parts].join('\n');
}

/** Returns the packages that the main process, the preload script and the pages import. */
function bundledBy(root: string): string[] {
  const files = globSync('src/{main,preload,renderer}/**/*.{ts,tsx,css}', { cwd: root });
  const imported = files.flatMap((path) =>
    Array.from(readFileSync(join(root, path), 'utf8').matchAll(IMPORT), ([, name = '']) => name),
  );
  const names = imported
    .filter((name) => !name.startsWith('node:'))
    .map((name) => name.split('/', name.startsWith('@') ? 2 : 1).join('/'));
  return [...new Set(names)].filter((name) => name !== 'electron');
}

/** Resolves a package as Node does from an importing folder; null if it is not installed. */
function resolvePackage(name: string, from: string, root: string): string | null {
  for (let at = from; ; at = dirname(at)) {
    const folder = join(at, 'node_modules', name);
    if (existsSync(join(folder, 'package.json'))) return folder;
    if (at === root) return null;
  }
}

/** Returns notices for the components of a package. */
function componentNotices({ name, version }: Manifest, folder: string, root: string): Notice[] {
  const [compiled] = globSync(COMPILED, { cwd: folder, exclude: ['node_modules/**'] });
  if (compiled === undefined) return [];
  const [, components] = COMPONENTS.find(([pattern]) => pattern.test(name)) ?? [];
  if (!components) {
    throw new Error(`${name} ships ${compiled}: say in scripts/notices.ts what it is made of`);
  }
  return components.map((one) => ({
    ...one,
    version: `${one.version ? `${one.version} ` : ''}in ${name} ${version}`,
    text: readFileSync(join(root, one.text), 'utf8').trim(),
  }));
}

function readLicense(name: string, folder: string, root: string): string {
  const own = readdirSync(folder)
    .filter((file) => LICENCE_FILE.test(file))
    .map((file) => join(folder, file));
  const known = (TEXTS[name] ?? []).map((file) => join(root, 'resources/licenses', file));
  const files = [...own, ...known];
  if (files.length === 0) {
    throw new Error(`${name} comes without its license. Put the text into resources/licenses`);
  }
  return files.map((file) => readFileSync(file, 'utf8').trim()).join('\n\n');
}

interface Manifest {
  name: string;
  version: string;
  license: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

function manifestIn(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}
