/**
 * Packages that are not bundled, because they contain machine code or WebAssembly. Only the files that this platform needs are
 * copied.
 */

import { cpSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { locateGrammar } from '../../src/engine/lab.ts';

export interface Machine {
  platform: string;
  arch: string;
  /** True on Linux with musl instead of glibc. */
  musl: boolean;
}

/** Package of a grammar, and the path of its WebAssembly in it. */
type GrammarFile = Pick<ReturnType<typeof locateGrammar>, 'package' | 'file'>;

interface PackagePart {
  /** Globs of files to copy, in addition to the license. */
  files: string[];
  /** Packages that it loads. */
  needs?: string[];
  /** Entry point, if it differs from the manifest's. */
  main?: string;
}

const LICENCES = ['{LICEN[CS]E,COPYING,NOTICE}*'];

/** Packages by name. Sources, builds for other platforms, types, maps and installation scripts are left out. */
export function partsFor(
  { platform, arch, musl }: Machine,
  grammars: Iterable<GrammarFile>,
): Record<string, PackagePart> {
  const system = `${platform}-${arch}`;
  const build =
    platform === 'win32' ? '-msvc' : platform !== 'linux' ? '' : musl ? '-musl' : '-gnu';
  const keyring = `@napi-rs/keyring-${system}${build}`;
  const watcher = `@parcel/watcher-${system}${platform === 'linux' ? `-${musl ? 'musl' : 'glibc'}` : ''}`;
  return {
    'better-sqlite3': {
      files: ['lib/**/*.js', `prebuilds/${musl ? `linuxmusl-${arch}` : system}.node`],
    },
    'onnxruntime-node': {
      // macOS has the library under two names; the binding loads the shorter one.
      files: ['dist/**/*.js', `bin/napi-v6/${platform}/${arch}/!(*.*.*.*.dylib)`],
      needs: ['onnxruntime-common'],
    },
    'onnxruntime-common': { files: ['dist/cjs/**/*.{js,json}'] },
    '@napi-rs/keyring': { files: ['index.js'], needs: [keyring] },
    [keyring]: { files: ['*.node'] },
    '@parcel/watcher': {
      files: ['index.js', 'wrapper.js'],
      needs: ['detect-libc', 'is-glob', 'picomatch', watcher],
    },
    [watcher]: { files: ['watcher.node'] },
    'detect-libc': { files: ['lib/*.js'] },
    'is-glob': { files: ['index.js'], needs: ['is-extglob'] },
    'is-extglob': { files: ['index.js'] },
    picomatch: { files: ['*.js', 'lib/*.js'] },
    usearch: {
      files: ['javascript/dist/esm/*.{js,json}', ...indexBuilds({ platform, arch, musl })],
      needs: ['bindings', 'node-gyp-build'],
    },
    bindings: { files: ['bindings.js'], needs: ['file-uri-to-path'] },
    'file-uri-to-path': { files: ['index.js'] },
    'node-gyp-build': { files: ['index.js', 'node-gyp-build.js'] },
    'web-tree-sitter': { files: ['web-tree-sitter.{js,cjs,wasm}'] },
    ...grammarParts(grammars),
  };
}

/** Platforms with a build of usearch. Others compare all embeddings exactly, as small repositories do everywhere. */
function indexBuilds({ platform, arch, musl }: Machine): string[] {
  const build = platform === 'darwin' ? 'darwin-arm64+x64' : `${platform}-${arch}`;
  const built = ['darwin-arm64+x64', 'linux-arm64', 'linux-x64', 'win32-x64'];
  return built.includes(build) && !musl ? [`prebuilds/${build}/usearch.node`] : [];
}

/** Returns the packages of grammars, each with only the WebAssembly of the languages. */
function grammarParts(grammars: Iterable<GrammarFile>): Record<string, PackagePart> {
  const parts: Record<string, PackagePart & { main: string }> = {};
  for (const { package: name, file } of grammars) {
    const { files = [] } = parts[name] ?? {};
    parts[name] = { files: [...files, file], main: file };
  }
  return parts;
}

/**
 * Copies the packages into `node_modules` of a folder, and removes scripts from their manifests.
 *
 * @param root of the project, where the packages are installed.
 * @returns versions by name.
 * @throws Error if a package or one of its files is missing.
 */
export function copyParts(
  root: string,
  folder: string,
  parts: Record<string, PackagePart>,
): Record<string, string> {
  const versions: Record<string, string> = {};
  for (const [name, part] of Object.entries(parts)) {
    const from = join(root, 'node_modules', name);
    const to = join(folder, 'node_modules', name);
    for (const pattern of part.files) {
      const found = globSync(pattern, { cwd: from }).filter((path) =>
        statSync(join(from, path)).isFile(),
      );
      if (found.length === 0)
        throw new Error(`${name} has no ${pattern}: install it for this machine (npm ci)`);
      for (const path of found) copyFile(join(from, path), join(to, path));
    }
    for (const path of globSync(LICENCES, { cwd: from }))
      copyFile(join(from, path), join(to, path));
    const manifest: Manifest = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'));
    writeFileSync(
      join(to, 'package.json'),
      `${JSON.stringify(reduceManifest(manifest, part), null, 2)}\n`,
    );
    versions[name] = manifest.version;
  }
  return versions;
}

type Manifest = { name: string; version: string; dependencies?: Record<string, string> } & Record<
  string,
  unknown
>;

const KEPT = ['name', 'version', 'description', 'license', 'repository', 'type', 'exports', 'main'];

/** Returns the manifest of a copied package. */
function reduceManifest(
  manifest: Manifest,
  { needs = [], main }: PackagePart,
): Record<string, unknown> {
  const fields = KEPT.flatMap((field) => (field in manifest ? [[field, manifest[field]]] : []));
  return {
    ...Object.fromEntries(fields),
    ...(main && { main }),
    ...(needs.length > 0 && { dependencies: Object.fromEntries(needs.map((name) => [name, '*'])) }),
  };
}

function copyFile(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to);
}
