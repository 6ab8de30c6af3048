/**
 * `node scripts/gguf-runtime.ts <version>`: pins the packages of `node-llama-cpp` that `locus models add` fetches, in
 * src/services/gguf/runtime-lock.json. Only packages that the library imports to run a model are listed, found by running it.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const LIBRARY = 'node-llama-cpp';
const LOCK = join(import.meta.dirname, '../src/services/gguf/runtime-lock.json');

interface LockedPackage {
  version: string;
  integrity: string;
  optional?: boolean;
}

/** Prints the folders of the packages from which modules are loaded. */
const TRACE = `
import { registerHooks } from 'node:module';
const folders = new Set();
registerHooks({
  load(url, context, next) {
    const found = /^.*?\\/(node_modules\\/(?:.*\\/node_modules\\/)?(?:@[^/]+\\/)?[^/]+)\\//.exec(url);
    if (found) folders.add(found[1]);
    return next(url, context);
  },
});
const { getLlama } = await import('${LIBRARY}');
await getLlama({ build: 'never', gpu: false, skipDownload: true, progressLogs: false });
console.log(JSON.stringify([...folders].sort()));
process.exit();
`;

const folder = mkdtempSync(join(tmpdir(), 'locus-runtime-'));

function pinPackages(version: string) {
  writeFileSync(join(folder, 'package.json'), '{"private": true}');
  npm('install', '--ignore-scripts', '--no-audit', '--no-fund', `${LIBRARY}@${version}`);
  writeFileSync(join(folder, 'trace.mjs'), TRACE);
  const traced: string[] = JSON.parse(
    execFileSync(process.execPath, ['trace.mjs'], { cwd: folder, encoding: 'utf8' }),
  );
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  const isBackend = (path: string) => path.startsWith(`node_modules/@${LIBRARY}/`);
  const pin = (path: string, bytes: number) => {
    const found = packages[path];
    if (!found?.integrity) throw new Error(`${path} is not in the lock file.`);
    return { path, version: found.version, integrity: found.integrity, bytes };
  };
  return {
    version,
    packages: traced
      .filter((path) => !isBackend(path))
      .map((path) => pin(path, measureSize(join(folder, path)))),
    backends: Object.keys(packages)
      .filter(isBackend)
      .map((path) => pin(path, measurePackage(path.slice('node_modules/'.length), version))),
  };
}

function npm(...args: string[]): string {
  const stdio = ['ignore', 'pipe', 'inherit'] as const;
  return execFileSync('npm', args, { cwd: folder, encoding: 'utf8', stdio: [...stdio] });
}

/** Returns the size of a package's files, which npm says when it has fetched the package. */
function measurePackage(name: string, version: string): number {
  const [{ filename, unpackedSize }] = JSON.parse(npm('pack', '--json', `${name}@${version}`));
  rmSync(join(folder, filename));
  return unpackedSize;
}

/** Returns the size of a package without the packages in it. */
function measureSize(path: string): number {
  if (!statSync(path).isDirectory()) return statSync(path).size;
  const names = readdirSync(path).filter((name) => name !== 'node_modules');
  return names.reduce((sum, name) => sum + measureSize(join(path, name)), 0);
}

const version = process.argv[2];
if (!version) throw new Error('Give the version of node-llama-cpp.');
try {
  writeFileSync(LOCK, `${JSON.stringify(pinPackages(version), null, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true });
}
