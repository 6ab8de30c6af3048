/** Clones a repository of the fleet for a person, with files and history. */
import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { badInput, type LocusError } from '../../shared/errors.ts';
import type { CloneProgress } from '../../shared/fleet.ts';
import { formatRemoteName, getRemoteKey, parseRemote } from '../../shared/remote-url.ts';
import { readOrigin } from '../remote/origin.ts';
import type { FleetEntry } from './catalog.ts';
import { makeCloneFolder, removeAbandonedClones } from './clone-folder.ts';
import { type Authorization, runRemoteGit } from './remote-git.ts';

export interface CloneRepositoryOptions {
  authorization: Authorization;
  signal?: AbortSignal | undefined;
  onProgress?: (progress: CloneProgress) => void;
}

/** Name of the clone in its temporary folder. */
const CLONE_NAME = 'repository';
const CLONE_MS = 6 * 3600_000;
/** Keeps Git LFS files as pointers: fetching them would run another program and reach another host. `git lfs pull` fetches them later. */
const NO_LARGE_FILES = {
  'filter.lfs.smudge': '',
  'filter.lfs.process': '',
  'filter.lfs.required': 'false',
};

/**
 * Clones a repository into a folder of its name in `parent`. The folder appears when the clone is complete; a partial clone is
 * removed. An existing clone with the same remote is used as it is. Abandoned temporary folders in `parent` are removed.
 * @returns the folder
 * @throws LocusError `bad-input` if the folder cannot be created, `bad-repository` if cloning fails, `cancelled`
 */
export async function cloneRepository(
  { url, ref }: Pick<FleetEntry, 'url' | 'ref'>,
  parent: string,
  { authorization, signal, onProgress }: CloneRepositoryOptions,
): Promise<string> {
  const remote = parseRemote(url);
  if (!remote) {
    const text = 'This repository is a folder on the machine that indexes it.';
    throw badInput(text, 'Open it on that machine, or add its address to the fleet.');
  }
  const name = remote.path.slice(remote.path.lastIndexOf('/') + 1);
  const target = join(parent, name);
  if (existsSync(target)) {
    const origin = await readOrigin({ root: target, ceiling: parent });
    if (origin && getRemoteKey(origin.remote) === getRemoteKey(remote)) return target;
    throw badInput(
      `${target} exists already and is not a clone of ${formatRemoteName(remote)}.`,
      'Choose another folder, or move the existing one.',
    );
  }
  await removeAbandonedClones(parent);
  // In the same folder as the target, so that a rename is enough.
  const draft = await makeCloneFolder(parent).catch((error: Error) => {
    throw createWriteError(parent, error);
  });
  try {
    const clone = [
      ...['clone', '--progress', '--origin', 'origin', '--no-recurse-submodules'],
      ...(ref === null ? [] : ['--branch', ref]),
    ];
    await runRemoteGit(draft.path, [...clone, '--', url, CLONE_NAME], {
      url,
      authorization,
      signal,
      timeoutMs: CLONE_MS,
      settings: NO_LARGE_FILES,
      ...(onProgress && { onOutput: createProgressReader(onProgress) }),
    });
    await rename(join(draft.path, CLONE_NAME), target).catch((error: Error) => {
      throw createWriteError(target, error);
    });
    return target;
  } finally {
    await draft.remove();
  }
}

const createWriteError = (path: string, error: Error): LocusError =>
  badInput(
    `${path} cannot be created: ${error.message.split(',')[0]}.`,
    'Choose a folder that you can write to.',
    { cause: error },
  );

/** Progress messages of git, which are always English in the environment that it runs in. */
const PHASES: Readonly<Record<string, CloneProgress['phase']>> = {
  'Receiving objects': 'receiving',
  'Resolving deltas': 'resolving',
  'Updating files': 'writing',
};

/** Creates a reader of git's progress output. Its input comes in pieces of any size; lines end in a carriage return or line feed. */
export function createProgressReader(
  onProgress: (progress: CloneProgress) => void,
): (text: string) => void {
  let rest = '';
  onProgress({ phase: 'asking', done: 0, total: 0 });
  return (text) => {
    const lines = (rest + text).split(/[\r\n]/);
    rest = (lines.pop() ?? '').slice(-1_000);
    for (const line of lines) {
      const [, words = '', done, total] =
        /^([A-Z][a-z]+ [a-z]+): +\d+% \((\d+)\/(\d+)\)/.exec(line) ?? [];
      const phase = PHASES[words];
      if (phase) onProgress({ phase, done: Number(done), total: Number(total) });
    }
  };
}
