/** Builds the command of the checkout, which `src/cli/locus.ts` starts. */
import { randomBytes } from 'node:crypto';
import {
  globSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join, relative, sep } from 'node:path';
import { type Bundle, bundleScripts, MODULES } from './bundle.ts';
import { BUILD_FILE, BUILD_FOLDER, readBuild, stampFile } from './stored-build.ts';

/**
 * Packages that are not bundled: those with machine code or WebAssembly, and large ones that few commands load. The latter would
 * double the time of a build.
 */
const EXTERNAL = [
  'better-sqlite3',
  'onnxruntime-node',
  '@napi-rs/keyring',
  '@parcel/watcher',
  '@vscode/ripgrep',
  'usearch',
  'web-tree-sitter',
  '@aws-sdk/client-s3',
  '@zilliz/milvus2-sdk-node',
];

/** Files that decide what is built besides the sources. npm writes the last one, so it stands for all packages. */
const OTHER_INPUTS = [
  'package.json',
  'tsconfig.json',
  'scripts/bundle/bundle.ts',
  'scripts/bundle/checkout.ts',
  'scripts/bundle/stored-build.ts',
  'node_modules/.package-lock.json',
];

/** Attempts to build while no source changes. */
const MAX_ATTEMPTS = 3;
/** Upper limit of the resolution of a file system's clock. */
const CLOCK_MS = 50;
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Builds the command from the sources as they are, and stores the build for the next start. A build during which sources changed is
 * made again; after `MAX_ATTEMPTS`, it is used but not stored.
 *
 * @param root of the checkout.
 * @returns the path of the entry.
 * @throws Error for a source with a syntax error, or if the folder cannot be written.
 */
export async function buildCheckout(root: string): Promise<string> {
  const folder = join(root, BUILD_FOLDER);
  mkdirSync(folder, { recursive: true });
  for (let attempt = 1; ; attempt++) {
    const start = Date.now() - CLOCK_MS;
    const bundle = await bundleScripts({
      root,
      entries: { locus: 'src/cli/entry.ts' },
      place: BUILD_FOLDER,
      external: EXTERNAL,
      entryFileNames: '[name]-[hash].js',
    });
    const inputs = stampInputs(root, bundle, start);
    if (!inputs && attempt < MAX_ATTEMPTS) continue;
    const entry = bundle.chunks.find(({ name }) => name === 'locus')?.fileName;
    if (entry === undefined) throw new Error('The bundle has no entry.');
    writeFiles(folder, bundle);
    if (inputs) {
      const files = bundle.chunks.map(({ fileName }) => fileName);
      removeOldFiles(root, files);
      replaceFile(join(folder, BUILD_FILE), JSON.stringify({ entry, files, inputs }));
    }
    return join(folder, entry);
  }
}

/** Returns paths and stamps of the files that were read; null if one has changed since `start`, in milliseconds since 1970. */
function stampInputs(root: string, { inputs }: Bundle, start: number): [string, string][] | null {
  const sources = inputs
    .map((path) => relative(root, path))
    .filter((path) => !path.startsWith(`node_modules${sep}`) && !path.startsWith('..'));
  const stamped: [string, string][] = [];
  for (const path of new Set([...sources, ...OTHER_INPUTS])) {
    const found = statSync(join(root, path), { throwIfNoEntry: false });
    // Unlike the time of the last change of content, programs cannot set this one.
    if (found ? found.ctimeMs >= start : sources.includes(path)) return null;
    stamped.push([path, stampFile(join(root, path))]);
  }
  return stamped;
}

function writeFiles(folder: string, { chunks }: Bundle): void {
  replaceFile(join(folder, 'package.json'), MODULES);
  for (const { fileName, code } of chunks) {
    const path = join(folder, fileName);
    // The name tells the content, unless the file was damaged.
    const size = statSync(path, { throwIfNoEntry: false })?.size;
    if (size !== Buffer.byteLength(code)) replaceFile(path, code);
  }
}

/** Writes a file so that other processes see it complete or not at all. */
function replaceFile(path: string, text: string): void {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  writeFileSync(temporary, text);
  renameSync(temporary, path);
}

/**
 * Removes what no build needs. Files of the last build stay for another day, because commands that run now may still load them, and
 * so do files that other processes are writing.
 */
function removeOldFiles(root: string, files: readonly string[]): void {
  const folder = join(root, BUILD_FOLDER);
  const now = new Date();
  const last = new Set(readBuild(root)?.files);
  const current = new Set([...files, 'package.json', BUILD_FILE]);
  for (const name of globSync('{*,compiled/*/*}', { cwd: folder })) {
    const path = join(folder, name);
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found?.isFile() || current.has(name)) continue;
    if (last.has(name)) utimesSync(path, now, now);
    else if (found.mtimeMs < now.getTime() - DAY_MS) rmSync(path, { force: true });
  }
}
