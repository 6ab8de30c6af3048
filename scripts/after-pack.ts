import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AfterPackContext } from 'electron-builder';
import { addMacBuilds } from './mac-builds.ts';
import { collectModelNotices } from './model-notices.ts';
import { checkNoticed, collectNotices, NOTICES, renderNotices } from './notices.ts';

/**
 * Copies package.json next to the engine, which reads its version there, and writes the licenses of everything that is packed. Adds
 * machine code for the other processor on macOS.
 * The archive keeps its own package.json, because Electron checks the integrity of the file that it reads.
 */
export default async (context: AfterPackContext): Promise<void> => {
  const { packager, appOutDir, electronPlatformName } = context;
  const { projectDir } = packager;
  const resources = packager.getResourcesDir(appOutDir);
  const unpacked = join(resources, 'app.asar.unpacked');
  copyFileSync(join(projectDir, 'package.json'), join(unpacked, 'package.json'));
  copyFileSync(join(projectDir, 'LICENSE'), join(resources, 'LICENSE'));
  const added = electronPlatformName === 'darwin' ? addMacBuilds(projectDir, unpacked) : undefined;
  for (const folder of [join(projectDir, 'out'), unpacked]) checkNoticed(projectDir, folder, added);
  const notices = [...collectNotices(projectDir, added), ...collectModelNotices(projectDir)];
  writeFileSync(join(resources, NOTICES), renderNotices(notices));
};
