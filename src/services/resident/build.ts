/** Identifies the code of this installation. Only processes of the same code exchange answers. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { VERSION } from '../../shared/version.ts';

/** Folder of the package or checkout. */
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Version of the messages between commands and engines. */
const PROTOCOL = 1;

/**
 * Returns the identity of the code on disk: of the package, whose manifest is replaced by every update, or of all sources in a
 * checkout. It changes while a process runs if its installation is updated.
 * @param root folder of the package or checkout
 */
export function getBuildIdentity(root = ROOT): string {
  const isCheckout = existsSync(join(root, 'tsconfig.json'));
  const files = isCheckout ? listSources(root) : [join(root, 'package.json')];
  const digest = createHash('sha256').update(`${PROTOCOL}\n${VERSION}\n${root}`);
  for (const path of files) {
    const found = statSync(path, { throwIfNoEntry: false });
    // npm gives all files of a package the same time of modification.
    if (found) digest.update(`\n${path}\n${found.size}\n${found.ctimeMs}`);
  }
  return digest.digest('hex');
}

function listSources(root: string): string[] {
  const folders = ['src', 'models'].map((name) => join(root, name));
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .sort(),
  );
}
