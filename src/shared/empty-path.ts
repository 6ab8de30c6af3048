import { LocusError } from './errors.ts';

/**
 * An empty path is what a variable makes that is not set. Taken for the folder that one is in, it would index that.
 * @throws LocusError `bad-input`
 */
export function refuseEmptyPath(path: string): void {
  if (path !== '') return;
  throw new LocusError(
    'bad-input',
    'an empty path names no folder',
    'give the path of a folder; . is the one that you are in',
  );
}
