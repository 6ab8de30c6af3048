/** A repository of the fleet as people have it: with its files and its history, in a folder of their own. */
import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { badInput, type LocusError } from '../../shared/errors.ts';
import type { CloneProgress } from '../../shared/fleet.ts';
import { parseRemote, remoteKey, remoteName } from '../../shared/remote-url.ts';
import { readOrigin } from '../remote/origin.ts';
import type { Entry } from './catalog.ts';
import { makeCloneFolder, removeLeftClones } from './clone-folder.ts';
import { type Authorization, remoteGit } from './remote-git.ts';

export interface CloneOptions {
  authorization: Authorization;
  signal?: AbortSignal | undefined;
  onProgress?: (progress: CloneProgress) => void;
}

/** The clone, in the folder that it is made in. */
const WHOLE = 'repository';
const PATIENCE_MS = 6 * 3600_000;
/** What Git LFS would fetch, by a program and from another place than was asked for, stays a pointer: `git lfs pull` has it. */
const NO_LARGE_FILES = {
  'filter.lfs.smudge': '',
  'filter.lfs.process': '',
  'filter.lfs.required': 'false',
};

/**
 * Clones into a folder of the repository's name in `parent`. It is there when all of it is; what was cut short is removed. One that is
 * there already and has this remote is taken as it is. What a process that was killed left in `parent` is removed.
 * @returns the folder
 * @throws LocusError `bad-input` where it cannot be put there, `bad-repository` where it cannot be had, `cancelled`.
 */
export async function cloneWhole(
  { url, ref }: Pick<Entry, 'url' | 'ref'>,
  parent: string,
  { authorization, signal, onProgress }: CloneOptions,
): Promise<string> {
  const remote = parseRemote(url);
  if (!remote) {
    const text = 'this repository is a folder of the machine that indexes it';
    throw badInput(text, 'open it there, or add its address to the fleet');
  }
  const name = remote.path.slice(remote.path.lastIndexOf('/') + 1);
  const target = join(parent, name);
  if (existsSync(target)) {
    const origin = await readOrigin({ root: target, ceiling: parent });
    if (origin && remoteKey(origin.remote) === remoteKey(remote)) return target;
    throw badInput(
      `${target} is there already, and no clone of ${remoteName(remote)}`,
      'choose another folder, or move that one away',
    );
  }
  await removeLeftClones(parent);
  // Beside its place, so that putting it there is one step.
  const made = await makeCloneFolder(parent).catch((error: Error) => {
    throw refused(parent, error);
  });
  try {
    const clone = [
      ...['clone', '--progress', '--origin', 'origin', '--no-recurse-submodules'],
      ...(ref === null ? [] : ['--branch', ref]),
    ];
    await remoteGit(made.path, [...clone, '--', url, WHOLE], {
      url,
      authorization,
      signal,
      patience: PATIENCE_MS,
      settings: NO_LARGE_FILES,
      ...(onProgress && { onSaid: progressReader(onProgress) }),
    });
    await rename(join(made.path, WHOLE), target).catch((error: Error) => {
      throw refused(target, error);
    });
    return target;
  } finally {
    await made.remove();
  }
}

const refused = (place: string, error: Error): LocusError =>
  badInput(
    `nothing can be put at ${place}: ${error.message.split(',')[0]}`,
    'choose a folder that you may write into',
    { cause: error },
  );

/** By git's own words, which are English in the environment that it is given. */
const PHASES: Readonly<Record<string, CloneProgress['phase']>> = {
  'Receiving objects': 'receiving',
  'Resolving deltas': 'resolving',
  'Updating files': 'writing',
};

/** Reads what git says, in pieces of any size: each line ends in a carriage return or a line feed. */
export function progressReader(
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
