/**
 * `npm run package:npm`: writes the npm packages for this machine to dist/npm. They contain their dependencies, so `npm install -g`
 * needs no registry and runs no script. `node scripts/pack.ts <folder>` writes them elsewhere, from pages that are already built.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { type Machine, thisMachine } from './npm/platforms.ts';
import { renderSizes } from './npm/sizes.ts';
import { type StagedPackages, stagePackages } from './npm/stage.ts';

const ROOT = join(import.meta.dirname, '..');

export interface WrittenPackages {
  staged: StagedPackages;
  /** Paths of the files to publish. */
  main: string;
  models: string;
  /** By the name of the platform. Each is in a folder of that name. */
  platforms: ReadonlyMap<string, string>;
}

/**
 * Writes the packages for platforms to a folder, which is emptied first. What everybody installs is in the folder itself, the packages
 * for a platform in a folder with its name, so `npm install -g --offline <folder>/*.tgz <folder>/<platform>/*.tgz` needs no registry.
 */
export async function writePackages(
  folder: string,
  machines: readonly Machine[] = [thisMachine()],
): Promise<WrittenPackages> {
  rmSync(folder, { recursive: true, force: true });
  const staged = await stagePackages(ROOT, join(folder, 'staged'), machines);
  return {
    staged,
    main: pack(staged.main, folder),
    models: pack(staged.models, folder),
    platforms: new Map(
      Array.from(staged.platforms, ([name, path]) => [name, pack(path, join(folder, name))]),
    ),
  };
}

/** Writes a package to a folder. Returns its path. */
function pack(staged: string, folder: string): string {
  mkdirSync(folder, { recursive: true });
  const printed = execFileSync('npm', ['pack', staged, '--json', '--pack-destination', folder], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    shell: process.platform === 'win32',
  });
  const [{ filename }] = JSON.parse(printed);
  return join(folder, filename);
}

if (import.meta.filename === process.argv[1]) {
  const folder = resolve(process.argv[2] ?? join(ROOT, 'dist/npm'));
  const { staged, main, models, platforms } = await writePackages(folder);
  console.log(renderSizes(join(staged.main, '..'), [main, models, ...platforms.values()]));
  const [platform] = platforms.keys();
  const from = relative(process.cwd(), folder) || '.';
  console.log(`\nnpm install -g --offline ./${from}/*.tgz ./${from}/${platform}/*.tgz`);
}
