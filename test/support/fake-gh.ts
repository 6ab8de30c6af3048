import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { temporaryFolder, writeFiles } from './repository.ts';

/** A `gh` that writes down what it is given, and says what it is told to. */
export interface FakeGh {
  /** In which `gh` lies. */
  folder: string;
  /** With it in front. */
  path: string;
  /** What it was run with; null when it was not. */
  asked(): { args: string[]; input: string; environment: Record<string, string> } | null;
  /** Of the next runs. `$1`, `$2` and so on are its arguments. */
  behave(script: string): void;
}

/** Posts to any issue, and prints an address as GitHub's does. */
const POSTS = 'echo "https://$5/issues/$3#issuecomment-99"';

/** Makes one in a folder of its own, for whoever calls it to remove. */
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
