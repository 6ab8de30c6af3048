import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { temporaryFolder, writeFiles } from './repository.ts';

/** Double of `gh` that records its input and runs a given script. */
export interface FakeGh {
  /** Folder that contains `gh`. */
  folder: string;
  /** `PATH` that starts with this folder. */
  path: string;
  /** Returns the input of the last run, or null if there was none. */
  asked(): { args: string[]; input: string; environment: Record<string, string> } | null;
  /** Sets the script of the next runs. `$1`, `$2` and so on are the arguments. */
  behave(script: string): void;
}

/** Script that posts to any issue and prints an address as GitHub's `gh` does. */
const POSTS = 'echo "https://$5/issues/$3#issuecomment-99"';

/** Makes a double in a new folder, which the caller has to remove. */
export function fakeGh(): FakeGh {
  const folder = temporaryFolder('locus-gh-');
  const record = (name: string) => join(folder, name);
  const behave = (script: string) => {
    const lines = [
      '#!/bin/sh',
      `printf '%s\\0' "$@" > '${record('args')}'`,
      `env > '${record('environment')}'`,
      `cat > '${record('input')}'`,
      script,
    ];
    writeFiles(folder, { gh: `${lines.join('\n')}\n` });
    chmodSync(join(folder, 'gh'), 0o755);
  };
  behave(POSTS);
  return {
    folder,
    path: `${folder}${delimiter}${process.env.PATH ?? ''}`,
    behave,
    asked() {
      if (!existsSync(record('input'))) return null;
      const read = (name: string) => readFileSync(record(name), 'utf8');
      const variables = read('environment')
        .split('\n')
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]);
      return {
        args: read('args').split('\0').slice(0, -1),
        input: read('input'),
        environment: Object.fromEntries(variables),
      };
    },
  };
}
