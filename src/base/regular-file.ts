/** Opens files of the data directory, which may be on a drive that others can write to, only if they are regular files. */
import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { LocusError } from '../shared/errors.ts';
import { NO_FOLLOW, UntrustedFolder } from './untrusted-folder.ts';

const FLAGS = { r: constants.O_RDONLY, 'r+': constants.O_RDWR };

/**
 * Checks a path just before a library opens it. A missing file is fine.
 * @throws LocusError `bad-store` for a link, a pipe, a device or a folder
 */
export function requireRegularFile(path: string): void {
  new UntrustedFolder(dirname(path), 'bad-store').check(basename(path));
}

/**
 * Opens a file and returns its descriptor.
 * @throws LocusError `bad-store` for a link, a pipe, a device or a folder; the system's errors
 */
export function openRegularFile(path: string, access: 'r' | 'r+'): number {
  requireRegularFile(path);
  const file = openSync(path, FLAGS[access] | NO_FOLLOW);
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  throw new LocusError('bad-store', `${path} was replaced while it was opened.`, 'Try again.');
}
