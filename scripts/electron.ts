import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PACKAGE = join(import.meta.dirname, '../node_modules/electron');

/**
 * The Electron program, or null where only its package is installed. Importing `electron` would download it, which
 * nothing here does unasked.
 */
export function installedElectron(): string | null {
  const pathFile = join(PACKAGE, 'path.txt');
  const folder = process.env.ELECTRON_OVERRIDE_DIST_PATH ?? join(PACKAGE, 'dist');
  const name = existsSync(pathFile) ? readFileSync(pathFile, 'utf8') : 'electron';
  const program = join(folder, name);
  return existsSync(program) ? program : null;
}
