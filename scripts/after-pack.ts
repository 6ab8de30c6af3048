import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AfterPackContext } from 'electron-builder';
import { checkNoticed, renderNotices } from './notices.ts';

/**
 * Puts package.json beside the engine, which takes its version from there. It stays in the archive as well: the one
 * that Electron itself reads must be the one that is checked. The licences of all that is packed go with it.
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
