/** Reads and writes configuration files of other programs. */
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, rmdirSync, type Stats, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { FileTooLarge, readWholeFile } from '../../base/named-file.ts';
import { describeKind, UntrustedFolder } from '../../base/untrusted-folder.ts';
import { explainWriteError, writeFileAtomically } from '../../base/write-file.ts';
import { badInput } from '../../shared/errors.ts';
import { formatCount } from '../../shared/format-count.ts';

/** Maximum size of a configuration file, in bytes. */
export const MAX_CONFIG_BYTES = 16 * 2 ** 20;

const BYTE_ORDER_MARK = '\ufeff';

/**
 * Reads a configuration file. Returns null if it is missing.
 * @param project root that the file has to be inside of, reached without a link; null follows links
 * @throws LocusError `bad-input` for a link out of a project, a folder or special file, a file that is too large or cannot be read
 */
export async function readConfig(path: string, project: string | null): Promise<Buffer | null> {
  if (project !== null)
    new UntrustedFolder(project, 'bad-input').check(relative(project, path).split(sep).join('/'));
  const found = findFile(path);
  if (!found) return null;
  if (!found.isFile())
    throw badInput(
      `${path} is ${describeKind(found)}.`,
      'Move it away, or configure the agent by hand.',
    );
  try {
    return await readWholeFile(path, { maxBytes: MAX_CONFIG_BYTES });
  } catch (error) {
    const reason =
      error instanceof FileTooLarge
        ? `it has more than ${formatCount(MAX_CONFIG_BYTES)} bytes`
        : (error as Error).message;
    throw badInput(`Cannot read ${path}: ${reason}.`, 'Configure the agent by hand.', {
      cause: error,
    });
  }
}

/** @throws LocusError `bad-input` for a link that leads nowhere, or a file where a folder is needed */
function findFile(path: string): Stats | undefined {
  let found: Stats | undefined;
  try {
    found = statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw badInput(
      `Cannot read ${path}: ${(error as Error).message}.`,
      'Check the folders above it.',
      {
        cause: error,
      },
    );
  }
  if (!found && lstatSync(path, { throwIfNoEntry: false }))
    throw badInput(`${path} is a link to a missing file.`, 'Remove the link, or create the file.');
  return found;
}

/** Throws `LocusError` `bad-input` for a file that its owner made read-only. A rename would replace it regardless. */
export function refuseReadOnly(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found && (found.mode & 0o222) === 0)
    throw badInput(`${path} is read-only.`, 'Make it writable, or configure the agent by hand.');
}

/** Writes a file with the mode it has. Creates missing folders. @throws LocusError `bad-input`, `bad-output` */
export async function writeConfig(path: string, bytes: Uint8Array): Promise<void> {
  try {
    mkdirSync(dirname(path), { recursive: true });
  } catch (error) {
    throw explainWriteError(error, path);
  }
  await writeFileAtomically(path, bytes);
}

/** Lists the folders above a path that are missing, the innermost first. */
export function listMissingFolders(path: string): string[] {
  const missing: string[] = [];
  for (let folder = dirname(path); !existsSync(folder); folder = dirname(folder))
    missing.push(folder);
  return missing;
}

/** Removes folders that are empty. Returns the others that exist. */
export function removeEmptyFolders(folders: readonly string[]): string[] {
  return folders.filter((folder) => {
    try {
      rmdirSync(folder);
      return false;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code !== 'ENOENT';
    }
  });
}

/** Text of a configuration file, without its byte order mark. */
export interface ConfigText {
  text: string;
  hasMark: boolean;
}

/** @throws LocusError `bad-input` if it is not UTF-8 */
export function decodeConfig(bytes: Uint8Array, path: string): ConfigText {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const hasMark = text.startsWith(BYTE_ORDER_MARK);
    return { text: hasMark ? text.slice(1) : text, hasMark };
  } catch (error) {
    throw badInput(`${path} is not encoded as UTF-8. It was left as it is.`, 'Save it as UTF-8.', {
      cause: error,
    });
  }
}

export const encodeConfig = ({ text, hasMark }: ConfigText): Buffer =>
  Buffer.from(hasMark ? BYTE_ORDER_MARK + text : text);

export const hashBytes = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex');

/** Returns a path as a person writes it, with `~` for the home folder. */
export function shortenPath(path: string, home: string): string {
  return path.startsWith(join(home, sep)) ? `~${path.slice(home.length)}` : path;
}
