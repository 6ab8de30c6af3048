/**
 * The licences of everything that a package of Locus holds beside Locus itself: the engine's dependencies, and what is
 * bundled into the app's main process and pages, fonts included. Electron and Chromium bring their own.
 */
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

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

const LICENCE_FILE = /^(?:licen[cs]e|copying|notice|third-?party)/i;
const IMPORT = /(?:from |import |import\()['"]([^.'"][^'"]*)['"]/g;

/**
 * A notice for each installed package that the engine depends on or that the app bundles, dependencies of dependencies
 * included, sorted by name.
 * @throws Error naming the package of which there is no licence text.
 */
export function noticesOf(root: string): Notice[] {
  const own = manifestIn(root);
  const wanted = [...Object.keys(own.dependencies ?? {}), ...bundledBy(root)];
  const found = new Map<string, Notice>();
  const open = wanted.map((name) => ({ name, from: root }));
  for (const { name, from } of open) {
    const folder = folderOf(name, from, root);
    // An optional one for another machine.
    if (folder === null || found.has(folder)) continue;
    // What stands in another's place has a name of its own.
    const manifest = manifestIn(folder);
    const { version, license, dependencies, optionalDependencies } = manifest;
    found.set(folder, { name: manifest.name, version, license, text: textOf(name, folder, root) });
    const names = Object.keys({ ...dependencies, ...optionalDependencies });
    open.push(...names.map((name) => ({ name, from: folder })));
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

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
