/** Adds machine code for the other processor to the app for macOS, which runs on both. npm installs only that of its machine. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { locatePackage } from './npm/locate.ts';
import { partsFor } from './npm/parts.ts';

/**
 * Copies the packages that have a build for one processor into `node_modules` of a folder, those for both processors.
 *
 * @param root of the project. What it lacks is downloaded, and checked against its lockfile.
 * @returns folders of the packages, by name
 */
export function addMacBuilds(root: string, folder: string): Map<string, { from: string }> {
  const names = ['arm64', 'x64'].flatMap((arch) =>
    Object.keys(partsFor({ platform: 'darwin', arch, musl: false }, [])).filter((name) =>
      name.endsWith(`-darwin-${arch}`),
    ),
  );
  return new Map(
    names.map((name) => {
      const from = locatePackage(root, name);
      cpSync(from, join(folder, 'node_modules', name), { recursive: true });
      return [name, { from }];
    }),
  );
}
