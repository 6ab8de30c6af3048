import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { LocusError } from '../../shared/errors.ts';
import { formatCount } from '../../shared/format-count.ts';

const formatMegabytes = (bytes: number): string => `${formatCount(Math.ceil(bytes / 1e6))} MB`;

/** @throws LocusError `bad-output` if there is no room for a file next to `path` */
export async function assertSpace(path: string, bytes: number): Promise<void> {
  const folder = dirname(path);
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free >= bytes) return;
  throw new LocusError(
    'bad-output',
    `${folder} has ${formatMegabytes(free)} of free space, and ${formatMegabytes(bytes)} are needed.`,
    'Free some space, or choose another data directory with --data-dir.',
  );
}
