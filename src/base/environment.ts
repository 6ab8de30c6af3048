/**
 * Environment variables of Locus, each declared once. Reading, validation, `locus doctor`, the manual page and `docs/reference/cli.md` derive
 * from the declarations. No schema library is used, since the command line reads a variable before compiled code is cached.
 */
import { badInput } from '../shared/errors.ts';
import { parseHost } from '../shared/issue-url.ts';
import { MAX_TOKEN } from '../shared/limits.ts';
import { escapeHidden } from '../shared/quote.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Levels of the log, from the fewest entries to the most. */
const LOG_LEVELS = ['off', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Storage of secrets; see docs/how-to/keep-secrets.md. */
const KEYCHAIN_USES = ['auto', 'on', 'off'] as const;
export type KeychainUse = (typeof KEYCHAIN_USES)[number];

interface Variable<T> {
  meaning: string;
  /** Description of valid values, such as "a number of seconds above 0". */
  expected: string;
  example: string;
  /** Value if the variable is not set. */
  fallback: T;
  isSecret?: boolean;
  /** Returns undefined for an invalid value. */
  parse(text: string): T | undefined;
}

const declare = <T>(variable: Variable<T>): Variable<T> => variable;

const declareText = (meaning: string, expected: string, example: string) =>
  declare<string | undefined>({ meaning, expected, example, fallback: undefined, parse: String });

const declareSecret = (meaning: string, expected: string, parse: (text: string) => boolean) =>
  declare<string | undefined>({
    meaning,
    expected,
    example: '…',
    fallback: undefined,
    isSecret: true,
    parse: (text) => (parse(text) ? text : undefined),
  });

const isAddress = (text: string) => /^https?:$/.test(URL.parse(text)?.protocol ?? '');

const declareAddress = (meaning: string, example: string) =>
  declare<string | undefined>({
    meaning,
    expected: 'an http:// or https:// address',
    example,
    fallback: undefined,
    parse: (text) => (isAddress(text) ? text : undefined),
  });

const declareSwitch = (meaning: string) =>
  declare<boolean>({
    meaning,
    expected: '1 or 0',
    example: '1',
    fallback: false,
    parse: (text) => (text === '1' ? true : text === '0' ? false : undefined),
  });

const isToken = (text: string): boolean => text.length <= MAX_TOKEN && /^\P{Cc}+$/u.test(text);

export const VARIABLES = {
  LOCUS_CHECK_API_KEY: declareSecret(
    'The API key for `LOCUS_CHECK_URL`.',
    `one line of at most ${MAX_TOKEN} characters`,
    isToken,
  ),
  LOCUS_CHECK_MODEL: declareText(
    'The language model of checks, as `--check-model`.',
    'the name of a model',
    'qwen2.5-coder:14b',
  ),
  LOCUS_CHECK_URL: declare<string | undefined>({
    meaning: 'The API, the agent or the local model of checks, as `--check-url`.',
    expected: 'an http:// or https:// address, or agent: or local: and a name',
    example: 'http://127.0.0.1:11434/v1',
    fallback: undefined,
    parse: (text) => (isAddress(text) || /^(agent|local):/.test(text) ? text : undefined),
  }),
  LOCUS_DATA_DIR: declareText(
    'The data directory, unless `--data-dir` names one.',
    'a folder',
    '/data/locus',
  ),
  LOCUS_DAEMON_IDLE: declare<number>({
    meaning: 'Seconds without a request after which the daemon ends.',
    expected: 'a number of seconds above 0',
    example: '60',
    fallback: 600,
    parse: (text) => (Number(text) > 0 ? Math.min(Number(text), 86_400) : undefined),
  }),
  LOCUS_FAST: declareSwitch('Ends every search with the initial ranking, as `--fast` does.'),
  LOCUS_FETCH_HOSTS: declare<readonly string[]>({
    meaning: 'Hosts from which issues are fetched without asking.',
    expected: 'a list of hosts such as github.com or git.example.org:8443',
    example: 'github.com',
    fallback: [],
    parse: parseHosts,
  }),
  LOCUS_FLEET_ENGINE: declareAddress(
    'The Milvus server of the fleet. Overrides `locus fleet use`.',
    'https://milvus.example.org:19530',
  ),
  LOCUS_FLEET_OBJECTS: declareText(
    'Location of the fleet’s list. Overrides `locus fleet use`.',
    'a folder or an address such as s3://bucket/prefix',
    's3://acme/fleet',
  ),
  LOCUS_FLEET_TOKEN: declareSecret(
    'The token for that server: `user:password`, or an API key.',
    `one line of at most ${MAX_TOKEN} characters`,
    isToken,
  ),
  LOCUS_GIT_TIMEOUT: declare<number>({
    meaning: 'Seconds of silence after which git is stopped.',
    expected: 'a number of seconds above 0',
    example: '600',
    fallback: 120,
    parse: (text) => (Number(text) > 0 ? Math.min(Number(text), 86_400) : undefined),
  }),
  LOCUS_KEYCHAIN: declare<KeychainUse>({
    meaning:
      'Storage of secrets: the system’s keychain (`on`), files (`off`), or files if no keychain works (`auto`).',
    expected: `one of ${KEYCHAIN_USES.join(', ')}`,
    example: 'off',
    fallback: 'auto',
    parse: (text) => KEYCHAIN_USES.find((use) => use === text),
  }),
  LOCUS_LOG: declare<LogLevel>({
    meaning: `The lowest level that is logged: ${LOG_LEVELS.join(', ')}.`,
    expected: `one of ${LOG_LEVELS.join(', ')}`,
    example: 'debug',
    fallback: 'info',
    parse: (text) => LOG_LEVELS.find((level) => level === text),
  }),
  LOCUS_NO_DAEMON: declareSwitch(
    'Opens repositories in each command, and answers no other, as `--no-daemon` does.',
  ),
  LOCUS_PUBLISHER_KEY: declareSecret(
    'The private key to publish with. Overrides the stored key.',
    'a private key in PEM',
    (text) => text.includes('PRIVATE KEY'),
  ),
};

export type VariableName = keyof typeof VARIABLES;
export type VariableValue<N extends VariableName> = (typeof VARIABLES)[N]['fallback'];

export const VARIABLE_NAMES = Object.keys(VARIABLES) as VariableName[];

/** Returns true if a variable is set. An empty value counts as not set. */
export const isSet = (name: VariableName, env: Environment = process.env): boolean => !!env[name];

/**
 * Reads an environment variable. Returns its default if it is not set.
 * @throws LocusError `bad-input` for an invalid value, which the message does not contain if it is secret
 */
export function readVariable<N extends VariableName>(
  name: N,
  env: Environment = process.env,
): VariableValue<N> {
  const variable = VARIABLES[name] as Variable<VariableValue<N>>;
  const text = env[name];
  if (!text) return variable.fallback;
  const value = variable.parse(text.trim());
  if (value !== undefined) return value;
  const { expected, example, isSecret } = variable;
  throw badInput(
    isSecret
      ? `The value of ${name} is not ${expected}.`
      : `${name} is “${escapeHidden(text)}”, which is not ${expected}.`,
    `Set ${name} to ${expected}${isSecret ? '' : `, as in ${name}=${example}`}, or unset it.`,
  );
}

/** Returns the variables that are set, with their values unless they are secret. @throws as `readVariable` */
export function describeVariables(env: Environment = process.env): string[] {
  return VARIABLE_NAMES.filter((name) => isSet(name, env)).map((name) => {
    readVariable(name, env);
    return VARIABLES[name].isSecret ? `${name} (secret)` : `${name}=${env[name]}`;
  });
}

/** Returns the names of unknown variables that start with `LOCUS_`, such as misspelled ones. */
export function findUnknownVariables(env: Environment = process.env): string[] {
  return Object.keys(env).filter((name) => name.startsWith('LOCUS_') && !(name in VARIABLES));
}

function parseHosts(text: string): string[] | undefined {
  const hosts = text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(parseHost);
  return hosts.every((host) => host !== null) ? hosts : undefined;
}

export function tabulateVariables(): string {
  const rows = VARIABLE_NAMES.map((name) => {
    const { meaning, expected, fallback } = VARIABLES[name];
    return `| \`${name}\` | ${meaning} | ${expected} | ${String(fallback ?? '')} |`;
  });
  return ['| variable | meaning | value | default |', '|---|---|---|---|', ...rows].join('\n');
}
