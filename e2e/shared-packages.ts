/** The npm packages of this machine. The first spec of a run that needs them writes them for all; no spec may change them. */
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type WrittenPackages, writePackages } from '../scripts/pack.ts';
import { FileLock } from '../src/base/file-lock.ts';
import { removeFolder, temporaryFolder } from '../test/support/repository.ts';

/** Variable with the folder of a run. */
const FOLDER = 'E2E_PACKAGES';
const MAX_WAIT_MS = 10 * 60_000;

/** Makes the specs that this process starts share their packages. They are removed when it exits. */
export function sharePackages(): void {
  const folder = temporaryFolder('locus-packages-');
  process.env[FOLDER] = folder;
  process.once('exit', () => removeFolder(folder));
}

/** Returns the packages of the run, which it writes unless another spec has. */
export async function ensurePackages(): Promise<WrittenPackages> {
  if (process.env[FOLDER] === undefined) sharePackages();
  const folder = process.env[FOLDER] ?? '';
  using lock = new FileLock(join(folder, 'lock'));
  await lock.waitAndAcquire({ waitMs: MAX_WAIT_MS, work: 'Packing' });
  const list = join(folder, 'packages.json');
  if (!existsSync(list)) {
    const written = await writePackages(join(folder, 'packages'));
    writeFileSync(
      list,
      JSON.stringify(written, (_, value) => (value instanceof Map ? [...value] : value)),
    );
  }
  const { staged, ...packed } = JSON.parse(readFileSync(list, 'utf8'));
  return {
    ...packed,
    platforms: new Map(packed.platforms),
    staged: { ...staged, platforms: new Map(staged.platforms) },
  };
}

/** Copies the files to publish to a folder, as `writePackages` writes them. Returns the packages there. */
export function copyTarballs(
  { main, models, platforms, staged }: WrittenPackages,
  folder: string,
): WrittenPackages {
  const copy = (path: string, ...place: string[]) => {
    const to = join(folder, ...place, basename(path));
    cpSync(path, to);
    return to;
  };
  return {
    staged,
    main: copy(main),
    models: copy(models),
    platforms: new Map(Array.from(platforms, ([name, path]) => [name, copy(path, name)])),
  };
}
