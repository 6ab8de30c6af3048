/**
 * Notes beside the lock which process writes an index. Only messages to people use the note: anyone who can write to the folder can
 * forge it, and the lock alone decides who may write.
 */
import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  openSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import { defer } from '../../base/defer.ts';
import { ignoring } from '../../base/log.ts';
import { PRIVATE_FILE } from '../../base/private.ts';
import { NO_FOLLOW, UntrustedFolder } from '../../base/untrusted-folder.ts';

const { O_WRONLY, O_CREAT, O_EXCL } = constants;
const MAX_BYTES = 20;

const getPath = (lock: string): string => `${lock}.pid`;

/** Writes the id of this process, which holds the lock. Without space on the disk there is no note. */
export function noteWriter(lock: string): void {
  const path = getPath(lock);
  try {
    writeNote(path, O_CREAT);
  } catch {
    // Something else is in its place, which must not be written to.
    try {
      rmSync(path, { force: true });
      writeNote(path, O_CREAT | O_EXCL);
    } catch (error) {
      ignoring('note-writer')(error);
    }
  }
}

/** @throws an error if the path is a link, or a file that has another name too */
function writeNote(path: string, flags: number): void {
  const file = openSync(path, O_WRONLY | NO_FOLLOW | flags, PRIVATE_FILE);
  using _end = defer(() => closeSync(file));
  const opened = fstatSync(file);
  if (!opened.isFile() || opened.nlink !== 1) throw new Error('not a note');
  ftruncateSync(file);
  writeSync(file, `${process.pid}\n`);
}

/** Returns the id of the process that the note names, if it is another one that is running; null otherwise. */
export function readWriter(lock: string): number | null {
  const path = getPath(lock);
  try {
    const note = new UntrustedFolder(dirname(path), 'bad-store').readSync(
      basename(path),
      MAX_BYTES,
    );
    const id = /^([1-9]\d{0,9})\n$/.exec(String(note))?.[1];
    const pid = Number(id);
    return id !== undefined && pid !== process.pid && isRunning(pid) ? pid : null;
  } catch (error) {
    ignoring('read-writer')(error);
    return null;
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
