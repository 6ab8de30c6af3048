import { chmodSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { git, removeFolder, temporaryFolder, writeFiles } from './repository.ts';

/** Double of `ssh` that stands for every host and serves a folder of bare repositories to git. */
export interface FakeSsh {
  /** `PATH` that starts with its folder. */
  path: string;
  /** Adds a repository. Returns the address to clone it from. */
  serve(repository: string, name: string): string;
  /** Stops answering if `held`, or answers again. */
  hold(held: boolean): void;
  /** Stops in the middle of each answer if `stalled`, or answers completely again. */
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
