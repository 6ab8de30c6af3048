import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AfterPackContext } from 'electron-builder';

/**
 * Puts package.json beside the engine, which takes its version from there. It stays in the archive as well: the one
 * that Electron itself reads must be the one that is checked.
 */
export default async ({ packager, appOutDir }: AfterPackContext): Promise<void> => {
  const unpacked = join(packager.getResourcesDir(appOutDir), 'app.asar.unpacked');
  copyFileSync(join(packager.projectDir, 'package.json'), join(unpacked, 'package.json'));
};
