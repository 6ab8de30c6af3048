/** Identifies the code of this installation. Only processes of the same code exchange answers. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getOrAdd } from '../../shared/get-or-add.ts';
import { VERSION } from '../../shared/version.ts';

/** Folder of the package or checkout. */
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Version of the messages between commands and engines. */
const PROTOCOL = 2;

/** Identities that this process has used, by root. */
const own = new Map<string, string>();

/**
 * Returns the identity of the code that this process runs: that of the code on disk at the first call. An update replaces the code on
 * disk, but not the code that runs, so a process that stays calls this when it starts.
 * @param root folder of the package or checkout
 */
export function getOwnBuild(root = ROOT): string {
  return getOrAdd(own, root, () => readBuild(root));
}

/**
 * Reads the identity of the code on disk: of the package, whose manifest is replaced by every update, or of all sources in a checkout,
 * of which it reads the sizes and times.
 * @param root folder of the package or checkout
 */
export function readBuild(root = ROOT): string {
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
