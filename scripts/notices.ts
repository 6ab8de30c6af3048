/**
 * The licences of everything that a package of Locus holds beside Locus itself: the engine's dependencies, and what is
 * bundled into the app's main process and pages, fonts included. Electron and Chromium bring their own.
 */

import { createHash } from 'node:crypto';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { COLLECTED_GRAMMARS, GRAMMAR_COLLECTION } from '../src/engine/lab.ts';

export interface Notice {
  name: string;
  version: string;
  /** SPDX expression, as the package states it. */
  license: string;
  text: string;
}

/** Licences of packages that come without their text, in `resources/licences`. */
const TEXTS: Record<string, string[]> = {
  '@aws-sdk/credential-provider-http': ['aws-sdk.txt'],
  '@aws-sdk/credential-provider-login': ['aws-sdk.txt'],
  '@aws-sdk/nested-clients': ['aws-sdk.txt'],
  'generic-pool': ['generic-pool.txt'],
  'onnxruntime-common': ['onnxruntime.txt'],
  'onnxruntime-node': ['onnxruntime.txt', 'onnxruntime-third-party.txt'],
  'react-remove-scroll-bar': ['react-remove-scroll-bar.txt'],
};

/** Something that is part of a package's fonts or machine code and has a license of its own. */
interface Component {
  name: string;
  license: string;
  /** Path of its license, relative to the root. */
  text: string;
  /** Where it is not the package's. */
  version?: string;
}

const component = (name: string, license: string, file: string): Component => ({
  name,
  license,
  text: `resources/licences/${file}`,
});

/**
 * Components of the packages that ship fonts, machine code or WebAssembly, as their sources and build files name them. What
 * such a package depends on, as on node-addon-api, has a notice anyway.
 */
const COMPONENTS: [name: RegExp, components: Component[]][] = [
  [/^@fontsource-variable\//, []],
  // Its module holds a parser alone, and takes all that it calls from web-tree-sitter's.
  [/^(?:@tree-sitter-grammars\/)?tree-sitter-/, []],
  [
    new RegExp(`^${GRAMMAR_COLLECTION}$`),
    Object.entries(COLLECTED_GRAMMARS).map(([name, version]) => ({
      ...component(name, 'MIT', `${name}.txt`),
      version,
    })),
  ],
  [
    /^web-tree-sitter$/,
    [
      component('ICU', 'Unicode', 'icu.txt'),
      component('musl', 'MIT', 'musl.txt'),
      component('Emscripten', 'MIT', 'emscripten.txt'),
    ],
  ],
  // The crates and libdbus that it is made of are among its texts.
  [/^@napi-rs\/keyring-/, []],
  [/^@parcel\/watcher-/, []],
  [/^better-sqlite3$/, [component('SQLite', 'blessing', 'sqlite.txt')]],
  // Its own third-party notices are among its texts.
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

/** Fonts, machine code and WebAssembly. */
const COMPILED = '**/*.{node,wasm,so,so.*,dylib,dll,ttf,otf,woff,woff2}';

const LICENCE_FILE = /^(?:licen[cs]e|copying|notice|third-?party)/i;
const IMPORT = /(?:from |import |import\()['"]([^.'"][^'"]*)['"]/g;

/**
 * Returns a notice for each installed package that the engine depends on or that the app bundles, and for the components
 * of each, dependencies of dependencies included, sorted by name.
 * @throws Error naming the package of which there is no license text, or whose components are not known.
 */
export function noticesOf(root: string): Notice[] {
  const notices = listPackages(root).flatMap(({ name, folder }) => {
    // What stands in another's place has a name of its own.
    const manifest = manifestIn(folder);
    const { version, license } = manifest;
    const own = { name: manifest.name, version, license, text: textOf(name, folder, root) };
    return [own, ...componentNotices(manifest, folder, root)];
  });
  return notices.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The installed packages that are shipped, under the names by which they are asked for. */
function listPackages(root: string): { name: string; folder: string }[] {
  const wanted = [...Object.keys(manifestIn(root).dependencies ?? {}), ...bundledBy(root)];
  const found = new Map<string, string>();
  const open = wanted.map((name) => ({ name, from: root }));
  for (const { name, from } of open) {
    const folder = folderOf(name, from, root);
    // An optional one for another machine.
    if (folder === null || found.has(folder)) continue;
    found.set(folder, name);
    const { dependencies, optionalDependencies } = manifestIn(folder);
    const names = Object.keys({ ...dependencies, ...optionalDependencies });
    open.push(...names.map((name) => ({ name, from: folder })));
  }
  return Array.from(found, ([folder, name]) => ({ name, folder }));
}

/**
 * Checks that packaged fonts and machine code are files of packages that have a notice.
 * @throws Error naming the first that is not.
 */
export function checkNoticed(root: string, folder: string): void {
  const noticed = listPackages(root).flatMap((one) => compiledIn(one.folder));
  const known = new Set(noticed.map(digestOf));
  const stranger = compiledIn(folder).find((path) => !known.has(digestOf(path)));
  if (stranger !== undefined)
    throw new Error(`${stranger} is of no package that has a notice: scripts/notices.ts`);
}

const compiledIn = (folder: string): string[] =>
  globSync(COMPILED, { cwd: folder }).map((path) => join(folder, path));

const digestOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

/** All notices as one text. */
export function renderNotices(root: string): string {
  const intro = 'Locus contains the following packages. Locus itself: see LICENSE.\n';
  const parts = noticesOf(root).map(
    ({ name, version, license, text }) =>
      `${'='.repeat(80)}\n${name} ${version} (${license})\n${'='.repeat(80)}\n\n${text.trim()}\n`,
  );
  return [intro, ...parts].join('\n');
}

/** What the sources of the main process, the preload script and the pages import. */
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

/** Where Node finds a package, from the folder of the one that asks for it; null when it is not installed. */
function folderOf(name: string, from: string, root: string): string | null {
  for (let at = from; ; at = dirname(at)) {
    const folder = join(at, 'node_modules', name);
    if (existsSync(join(folder, 'package.json'))) return folder;
    if (at === root) return null;
  }
}

/** Notices for what a package's fonts and machine code are made of. */
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

function textOf(name: string, folder: string, root: string): string {
  const own = readdirSync(folder)
    .filter((file) => LICENCE_FILE.test(file))
    .map((file) => join(folder, file));
  const known = (TEXTS[name] ?? []).map((file) => join(root, 'resources/licences', file));
  const files = [...own, ...known];
  if (files.length === 0) {
    throw new Error(`${name} comes without its licence: put the text into resources/licences`);
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
