/**
 * `npm run package:npm`: writes the npm package for this machine to dist/. The package contains its dependencies, so
 * `npm install -g` needs no registry and runs no script. `node scripts/pack.ts <folder>` writes it elsewhere, from pages that are already built.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { renderSizes } from './npm/sizes.ts';
import { stagePackage, thisMachine } from './npm/stage.ts';

const ROOT = join(import.meta.dirname, '..');

/**
 * Writes the package, and returns its path.
 */
export async function writePackage(folder: string): Promise<string> {
  const staged = join(folder, 'npm');
  await stagePackage(ROOT, staged);
  mkdirSync(folder, { recursive: true });
  const [{ filename }] = JSON.parse(
    execFileSync('npm', ['pack', staged, '--json', '--pack-destination', folder], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      shell: process.platform === 'win32',
    }),
  );
  const { platform, arch } = thisMachine();
  const path = join(folder, filename.replace(/\.tgz$/, `-${platform}-${arch}.tgz`));
  renameSync(join(folder, filename), path);
  return path;
}

if (import.meta.filename === process.argv[1]) {
  const folder = resolve(process.argv[2] ?? join(ROOT, 'dist'));
  const path = await writePackage(folder);
  console.log(renderSizes(join(folder, 'npm'), path));
  console.log(`\nnpm install -g ${path}`);
}
