/**
 * The `locus` command of the checkout, which `bin/locus.cjs` starts. It runs from a bundle in `out/command`, which is built again when
 * a source has changed, and from the sources if it cannot be built. `node src/cli/entry.ts` always runs from the sources. The npm
 * package starts `entry.ts`.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BUILD_FOLDER, findCurrentBuild } from '../../scripts/bundle/stored-build.ts';
import { shareCompileCache } from '../base/shared-compile-cache.ts';

const ROOT = join(import.meta.dirname, '../..');

shareCompileCache(join(ROOT, BUILD_FOLDER, 'compiled'));
const entry = findCurrentBuild(ROOT) ?? (await build());
await (entry === null ? import('./entry.ts') : import(pathToFileURL(entry).href));

/** Builds the command and returns the path of its entry. Returns null if the folder is read-only or the bundler is not installed. */
async function build(): Promise<string | null> {
  try {
    const { buildCheckout } = await import('../../scripts/bundle/checkout.ts');
    return await buildCheckout(ROOT);
  } catch (error) {
    const { errno, code, message } = error as NodeJS.ErrnoException;
    const isExpected = errno !== undefined || code === 'ERR_MODULE_NOT_FOUND';
    if (!isExpected) console.error(`locus: It runs from the sources. ${message}`);
    return null;
  }
}
