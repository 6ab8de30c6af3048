/** Checks a language that a user adds: reads its folder, and parses an example in a thread that ends if the grammar does not. */
import { basename, dirname, resolve } from 'node:path';
import { UntrustedFolder } from '../base/untrusted-folder.ts';
import { badInput } from '../shared/errors.ts';
import { getLanguages, listLanguageProblems, loadLanguagesIn } from './languages/index.ts';
import { unpackFile } from './parse/packed-file.ts';
import { ParserPool } from './parse/pool.ts';

const MAX_EXAMPLE_BYTES = 1024 * 1024;
/** Processor time for the example in milliseconds. */
const FILE_TIMEOUT = 5_000;

export interface LanguageCheck {
  title: string;
  /** Name of the example, and the number of its syntax errors. */
  example: string;
  errors: number;
  definitions: { kind: string; name: string; startLine: number; endLine: number }[];
}

/**
 * Parses `example` with an extension of the language, or a file of the language's own name, in a language's folder.
 * @param fileTimeout processor time for the example in milliseconds
 * @throws LocusError `bad-input` that says what is wrong, and how to correct it
 */
export async function checkLanguage(
  folder: string,
  fileTimeout = FILE_TIMEOUT,
): Promise<LanguageCheck> {
  const path = resolve(folder);
  loadLanguagesIn(null);
  loadLanguagesIn(dirname(path));
  const language = [...getLanguages()].find(
    ({ content, name }) => content && name === basename(path),
  );
  if (!language) throw explainUnused(path);
  const { extensions, names } = language.files;
  const candidates = [...extensions.map((extension) => `example${extension}`), ...names];
  const text = readExample(path, candidates);
  if (text === null)
    throw badInput(
      `The language in ${path} has no example.`,
      `Write some code with a definition into ${candidates[0] ?? 'a file'} in that folder.`,
    );
  return parseExample(path, language.title, text, fileTimeout);
}

function explainUnused(path: string): Error {
  const problem = listLanguageProblems().find(
    (text) => text.includes(`${path} `) || text.includes(`${path}/`),
  );
  const [message = '', ...remedy] = (problem ?? '').split(/(?<=\.) (?=Correct|Use)/);
  return problem
    ? badInput(message, remedy.join(' '))
    : badInput(
        `${path} is not the folder of a language.`,
        'Name a folder with language.json, tags.scm and grammar.wasm.',
      );
}

function readExample(
  path: string,
  names: readonly string[],
): { name: string; text: string } | null {
  const folder = new UntrustedFolder(path, 'bad-input');
  for (const name of names) {
    const bytes = folder.readSync(name, MAX_EXAMPLE_BYTES);
    if (bytes) return { name, text: bytes.toString('utf8') };
  }
  return null;
}

async function parseExample(
  path: string,
  title: string,
  { name: example, text }: { name: string; text: string },
  fileTimeout: number,
): Promise<LanguageCheck> {
  const pool = new ParserPool({ size: 1, fileTimeout });
  let cause = '';
  const onUnread = (file: { cause: string }) => {
    cause = file.cause;
  };
  try {
    for await (const file of pool.parse([[{ path: example, hash: example, text }]], onUnread)) {
      if (file.failure !== null) {
        cause = file.failure;
        continue;
      }
      const { chunks, errors } = unpackFile(file);
      const definitions = chunks.filter(({ kind }) => kind !== 'module');
      if (definitions.length === 0)
        throw badInput(
          `The tags.scm of the language in ${path} finds no definition in ${example}.`,
          'Capture definitions as @definition.function or @definition.class, with a @name.',
        );
      return {
        title,
        example,
        errors,
        definitions: definitions.map(({ kind, qualifiedName, startLine, endLine }) => {
          return { kind, name: qualifiedName, startLine, endLine };
        }),
      };
    }
  } finally {
    await pool.close();
  }
  throw badInput(
    `The language in ${path} cannot parse ${example}: ${cause.replace(/\.$/, '')}.`,
    'Correct tags.scm, or build the grammar again with ABI 13 to 15.',
  );
}
