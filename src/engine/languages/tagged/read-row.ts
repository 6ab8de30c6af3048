/** Checks the rows of languages that users add. */
import type { LanguageRow } from './row.ts';

const MAX_WORDS = 100;
const MAX_WORD = 80;
const MAX_TAB_WIDTH = 16;
const NAME = /^[a-z][a-z0-9+#-]{0,39}$/;
const EXTENSION = /^\.[^\s/\\A-Z]{1,30}$/;

type Check = (value: unknown) => boolean;

const isWord: Check = (value) =>
  typeof value === 'string' && value !== '' && value.length <= MAX_WORD && !/[\n\0/\\]/.test(value);
const isWords: Check = (value) =>
  Array.isArray(value) && value.length <= MAX_WORDS && value.every(isWord);
const isFlag: Check = (value) => typeof value === 'boolean';
const words = { check: isWords, form: `a list of at most ${MAX_WORDS} words` };
const flag = { check: isFlag, form: 'true or false' };
const word = { check: isWord, form: 'a word' };

const FIELDS: ReadonlyMap<string, { check: Check; form: string }> = new Map(
  Object.entries({
    name: {
      check: (value: unknown) => typeof value === 'string' && NAME.test(value),
      form: 'a name in lower case, such as "quill"',
    },
    title: word,
    extensions: {
      check: (value: unknown) =>
        isWords(value) && (value as string[]).every((one) => EXTENSION.test(one)),
      form: 'a list of extensions in lower case, such as [".quill"]',
    },
    fileNames: words,
    comments: words,
    decorators: words,
    blanks: words,
    body: word,
    clauses: flag,
    reachesNext: flag,
    separators: words,
    wordCharacters: word,
    headers: {
      check: (value: unknown) =>
        value !== null &&
        typeof value === 'object' &&
        Object.entries(value).every(
          ([kind, list]) => (kind === 'function' || kind === 'class') && isWords(list),
        ),
      form: 'lists of words, such as {"function": ["func"]}',
    },
    constructors: words,
    isIndented: flag,
    hasBraces: flag,
    tabWidth: {
      check: (value: unknown) =>
        Number.isInteger(value) && Number(value) > 0 && Number(value) <= MAX_TAB_WIDTH,
      form: `a number from 1 to ${MAX_TAB_WIDTH}`,
    },
    tests: words,
    testFolders: words,
    generated: words,
    monaco: word,
    fences: words,
  }),
);

const REQUIRED = ['name', 'title', 'extensions'];

/** Returns a value of JSON as a row. @throws Error that names the field and its form */
export function readRow(value: unknown): LanguageRow {
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw new Error('it is not an object');
  for (const field of REQUIRED) if (!(field in value)) throw new Error(`${field} is missing`);
  for (const [field, given] of Object.entries(value)) {
    const known = FIELDS.get(field);
    if (!known)
      throw new Error(`it has an unknown field ${JSON.stringify(field.slice(0, MAX_WORD))}`);
    if (!known.check(given)) throw new Error(`${field} must be ${known.form}`);
  }
  return value as LanguageRow;
}
