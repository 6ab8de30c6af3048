import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AfterPackContext } from 'electron-builder';
import { checkNoticed, renderNotices } from './notices.ts';

/**
 * Copies package.json next to the engine, which reads its version there, and writes the licenses of everything that is packed.
 * The archive keeps its own package.json, because Electron checks the integrity of the file that it reads.
 */
export default async ({ packager, appOutDir }: AfterPackContext): Promise<void> => {
  const { projectDir } = packager;
  const resources = packager.getResourcesDir(appOutDir);
  copyFileSync(
    join(projectDir, 'package.json'),
    join(resources, 'app.asar.unpacked', 'package.json'),
  );
  copyFileSync(join(projectDir, 'LICENSE'), join(resources, 'LICENSE'));
  for (const folder of [join(projectDir, 'out'), join(resources, 'app.asar.unpacked')])
    checkNoticed(projectDir, folder);
  writeFileSync(join(resources, 'THIRD-PARTY-NOTICES.txt'), renderNotices(projectDir));
};
