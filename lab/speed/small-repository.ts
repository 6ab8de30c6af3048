/**
 * Makes a Ruby repository of the size of a typical library: 78 files of 310 kB, 515 methods, 1,351 commits. The same at every run,
 * so figures of different days and machines can be compared without a download.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createRandom } from '../../src/services/evaluation/statistics.ts';
import { assertPresent } from '../../src/shared/assert-present.ts';

const FILES = 78;
const METHODS = 515;
const COMMITS = 1351;
const FIRST_DATE = 1_400_000_000;
const BETWEEN_COMMITS_S = 86_400;
/** Lines of a method, without its first and last one. */
const LINES = 9;

const VERBS = 'build parse read write open close send fetch merge apply check encode'.split(' ');
const NOUNS =
  'request response header body adapter connection middleware handler option proxy cookie timeout'.split(
    ' ',
  );
const TRAITS = 'default nested encoded missing streamed cached pending secure parallel raw'.split(
  ' ',
);

type Pick = (words: readonly string[]) => string;

/** Makes the repository in a new folder, and returns the folder. */
export async function makeSmallRepository(root: string): Promise<string> {
  const random = createRandom(1);
  const pick: Pick = (words) => assertPresent(words[Math.floor(random() * words.length)], 'a word');
  const files = Array.from({ length: FILES }, (_, i) => ({
    path: `lib/${NOUNS[i % NOUNS.length]}/${VERBS[Math.floor(i / NOUNS.length)]}_${NOUNS[i % NOUNS.length]}.rb`,
    name: `Part${i}`,
    methods: [] as string[],
  }));
  const input: string[] = [];
  for (let commit = 0; commit < COMMITS; commit++) {
    const file = assertPresent(files[commit % FILES], 'a file');
    const isNew = commit < METHODS;
    const at = isNew ? file.methods.length : Math.floor(random() * file.methods.length);
    const name = `${pick(VERBS)}_${pick(TRAITS)}_${pick(NOUNS)}`;
    file.methods[at] = writeMethod(name, pick);
    const message = `${isNew ? 'Add' : 'Fix'} ${name} for a ${pick(TRAITS)} ${pick(NOUNS)} in ${file.name}`;
    input.push(
      `commit refs/heads/main\ncommitter Bench <bench@localhost> ${FIRST_DATE + commit * BETWEEN_COMMITS_S} +0000\n`,
      `data ${message.length}\n${message}\n`,
      writeData(file.path, writeFile(file.name, file.methods)),
    );
  }
  mkdirSync(root, { recursive: true });
  const git = (args: string[], text = '') =>
    execFileSync('git', args, { cwd: root, input: text, stdio: ['pipe', 'ignore', 'inherit'] });
  git(['init', '-q', '-b', 'main']);
  git(['fast-import', '--quiet'], input.join(''));
  git(['reset', '-q', '--hard', 'main']);
  return root;
}

function writeData(path: string, text: string): string {
  return `M 100644 inline ${path}\ndata ${text.length}\n${text}\n`;
}

function writeFile(name: string, methods: readonly string[]): string {
  return `# frozen_string_literal: true\n\nclass ${name}\n${methods.join('\n')}end\n`;
}

function writeMethod(name: string, pick: Pick): string {
  const lines = Array.from(
    { length: LINES },
    () =>
      `    ${pick(NOUNS)} = ${pick(VERBS)}_${pick(TRAITS)}_${pick(NOUNS)}(${pick(NOUNS)}, "${pick(TRAITS)}")`,
  );
  return `  # Returns the ${pick(TRAITS)} ${pick(NOUNS)}.\n  def ${name}(${pick(NOUNS)})\n${lines.join('\n')}\n  end\n`;
}
