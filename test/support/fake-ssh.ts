import { chmodSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { git, removeFolder, temporaryFolder, writeFiles } from './repository.ts';

/** An `ssh` that is every host: what git asks it for, it finds in a folder of bare repositories. */
export interface FakeSsh {
  /** With its folder in front. */
  path: string;
  /** Puts a repository there; answers what it is cloned by. */
  serve(repository: string, name: string): string;
  /** From now on it never answers, or does again. */
  hold(held: boolean): void;
  /** From now on it falls silent in the middle of what it answers, or does not. */
  stall(stalled: boolean): void;
  remove(): void;
}

const HOST = 'git@git.example.test';

export function fakeSsh(): FakeSsh {
  const folder = temporaryFolder('locus-ssh-');
  const behave = (script: string) => {
    writeFiles(folder, { 'bin/ssh': `#!/bin/sh\nfor last; do :; done\n${script}\n` });
    chmodSync(join(folder, 'bin/ssh'), 0o755);
  };
  const answers = `cd '${folder}' && exec sh -c "$last"`;
  behave(answers);
  return {
    path: `${join(folder, 'bin')}${delimiter}${process.env.PATH ?? ''}`,
    serve(repository, name) {
      git(folder, 'clone', '--quiet', '--bare', repository, `${name}.git`);
      return `${HOST}:${name}.git`;
    },
    stall: (stalled) =>
      behave(
        stalled
          ? `cd '${folder}' && { sh -c "$last" | { dd bs=4096 count=40 2>/dev/null; sleep 600; }; }`
          : answers,
      ),
    hold: (held) => behave(held ? 'exec sleep 600' : answers),
    remove: () => removeFolder(folder),
  };
}
