/**
 * Packages that are not bundled, because they contain machine code or WebAssembly. Only the files that this platform needs are
 * copied.
 */

import { cpSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { listInstalledGrammars } from '../../src/engine/lab.ts';
import { locatePackage, type PinnedPackage } from './locate.ts';
import type { Machine } from './platforms.ts';

/** Package of a grammar, and the path of its WebAssembly in it. */
type GrammarFile = Pick<ReturnType<typeof listInstalledGrammars>[number], 'package' | 'file'>;

interface PackagePart {
  /** Globs of files to copy, in addition to the license. */
  files: string[];
  /** Packages that it loads. */
  needs?: string[];
  /** Entry point, if it differs from the manifest's. */
  main?: string;
  /** Version to use instead of the installed one. */
  pinned?: PinnedPackage;
  /** Text of `index.js` that replaces the package where it cannot run. */
  substitute?: string;
}

const LICENCES = ['{LICEN[CS]E,COPYING,NOTICE}*'];

/** Packages by name. Sources, builds for other platforms, types, maps and installation scripts are left out. */
export function partsFor(
  machine: Machine,
  grammars: Iterable<GrammarFile>,
): Record<string, PackagePart> {
  const { platform, arch, musl } = machine;
  const system = `${platform}-${arch}`;
  const build =
    platform === 'win32' ? '-msvc' : platform !== 'linux' ? '' : musl ? '-musl' : '-gnu';
  const keyring = `@napi-rs/keyring-${system}${build}`;
  const watcher = `@parcel/watcher-${system}${platform === 'linux' ? `-${musl ? 'musl' : 'glibc'}` : ''}`;
  const ripgrep = `@vscode/ripgrep-${system}`;
  return {
    'better-sqlite3': {
      files: ['lib/**/*.js', `prebuilds/${musl ? `linuxmusl-${arch}` : system}.node`],
    },
    ...runtimeParts(machine),
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
    '@vscode/ripgrep': { files: ['lib/index.js'], needs: [ripgrep] },
    // Its build for Linux is linked statically, so it also runs with musl.
    [ripgrep]: { files: ['bin/*'] },
    picomatch: { files: ['*.js', 'lib/*.js'] },
    usearch: {
      files: ['javascript/dist/esm/*.{js,json}', ...indexBuilds(machine)],
      needs: ['bindings', 'node-gyp-build'],
    },
    bindings: { files: ['bindings.js'], needs: ['file-uri-to-path'] },
    'file-uri-to-path': { files: ['index.js'] },
    'node-gyp-build': { files: ['index.js', 'node-gyp-build.js'] },
    'web-tree-sitter': { files: ['web-tree-sitter.{js,cjs,wasm}'] },
    ...grammarParts(grammars),
  };
}

/** The last version of ONNX Runtime with a build for macOS on Intel. */
const LAST_ON_INTEL_MACS = {
  'onnxruntime-node': {
    version: '1.23.2',
    integrity:
      'sha512-OBTsG0W8ddBVOeVVVychpVBS87A9YV5sa2hJ6lc025T97Le+J4v++PwSC4XFs1C62SWyNdof0Mh4KvnZgtt4aw==',
  },
  'onnxruntime-common': {
    version: '1.23.2',
    integrity:
      'sha512-5LFsC9Dukzp2WV6kNHYLNzp8sT6V02IubLCbzw2Xd6X5GOlr65gAX6xiJwyi2URJol/s71gaQLC5F2C25AAR2w==',
  },
};

/** Parts of ONNX Runtime. On musl, where it has no build, Locus searches with the initial ranking. */
function runtimeParts({ platform, arch, musl }: Machine): Record<string, PackagePart> {
  const message = 'ONNX Runtime has no build for Linux with musl';
  if (musl)
    return { 'onnxruntime-node': { files: [], substitute: `throw new Error('${message}');\n` } };
  const pinned =
    platform === 'darwin' && arch === 'x64'
      ? LAST_ON_INTEL_MACS
      : ({} as { [name: string]: never });
  // macOS has the newer library under two names; the binding loads the shorter one.
  const library = 'onnxruntime-node' in pinned ? '*' : '!(*.*.*.*.dylib)';
  return {
    'onnxruntime-node': {
      files: ['dist/**/*.js', `bin/napi-v6/${platform}/${arch}/${library}`],
      needs: ['onnxruntime-common'],
      pinned: pinned['onnxruntime-node'],
    },
    'onnxruntime-common': {
      files: ['dist/cjs/**/*.{js,json}'],
      pinned: pinned['onnxruntime-common'],
    },
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

/** Folder of a package that was copied, and its version. */
export interface CopiedPart {
  from: string;
  version: string;
}

/**
 * Copies the packages into `node_modules` of a folder, and removes scripts from their manifests.
 *
 * @param root of the project, where the packages are installed. Those of other platforms are downloaded.
 * @returns packages by name.
 * @throws Error if a package or one of its files is missing.
 */
export function copyParts(
  root: string,
  folder: string,
  parts: Record<string, PackagePart>,
): Map<string, CopiedPart> {
  const copied = new Map<string, CopiedPart>();
  for (const [name, part] of Object.entries(parts)) {
    const from = locatePackage(root, name, part.pinned);
    const to = join(folder, 'node_modules', name);
    for (const pattern of [...part.files, ...LICENCES]) {
      const found = globSync(pattern, { cwd: from }).filter((path) =>
        statSync(join(from, path)).isFile(),
      );
      if (found.length === 0 && pattern !== LICENCES[0])
        throw new Error(`${name} has no ${pattern}: install it for this machine (npm ci)`);
      for (const path of found) copyFile(join(from, path), join(to, path));
    }
    const manifest: Manifest = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'));
    const text = JSON.stringify(reduceManifest(manifest, part), null, 2);
    mkdirSync(to, { recursive: true });
    writeFileSync(join(to, 'package.json'), `${text}\n`);
    if (part.substitute) writeFileSync(join(to, 'index.js'), part.substitute);
    copied.set(name, { from, version: manifest.version });
  }
  return copied;
}

type Manifest = { name: string; version: string; dependencies?: Record<string, string> } & Record<
  string,
  unknown
>;

const KEPT = ['name', 'version', 'description', 'license', 'repository', 'type', 'exports', 'main'];

/** Returns the manifest of a copied package. */
function reduceManifest(
  manifest: Manifest,
  { needs = [], main, substitute }: PackagePart,
): Record<string, unknown> {
  const fields = KEPT.flatMap((field) => (field in manifest ? [[field, manifest[field]]] : []));
  return {
    ...Object.fromEntries(fields),
    ...(main && { main }),
    ...(substitute && { main: 'index.js' }),
    ...(needs.length > 0 && { dependencies: Object.fromEntries(needs.map((name) => [name, '*'])) }),
  };
}

function copyFile(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to);
}
