/**
 * Log of all processes and threads of Locus, in numbered files in the data directory. An entry is a name with fields, all declared
 * here. No field can hold text: no code, issue, query, address, token, path or error message. A failure to log is ignored.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import {
  getEnvironmentData,
  isMainThread,
  setEnvironmentData,
  threadId,
} from 'node:worker_threads';
import { isCancelled, LocusError } from '../shared/errors.ts';
import { VERSION } from '../shared/version.ts';
import type { LogLevel } from './environment.ts';
import { LogFiles } from './log-files.ts';

/** Programs of Locus that log. A thread logs for its process. */
const HOSTS = ['cli', 'mcp', 'server', 'engine', 'desktop', 'other'] as const;
export type LogHost = (typeof HOSTS)[number];

/** Work whose failure changes nothing for the user. */
const OPTIONAL_WORK = [
  'answer-commands',
  'close-engine',
  'close-repository',
  'close-watcher',
  'load-encoder',
  'load-usearch',
  'move-secret',
  'note-writer',
  'open-repository',
  'read-vectors',
  'read-writer',
  'release-memory',
  'remove-files',
  'remove-secret',
  'renew-lease',
  'reopen-repository',
  'report-failure',
  'save-snapshot',
  'remove-unfinished-model',
  'store-vectors',
  'use-keychain',
] as const;

/**
 * Kinds of fields. `error`: class, code and locations in Locus's sources, never the message. `repository`: the twelve digits at the end
 * of its index folder's name. `version`: numbers with dots. `exit`: an exit code or a signal. A list: one of its words.
 */
type FieldKind = 'number' | 'exit' | 'error' | 'repository' | 'version' | readonly string[];

interface LogEventDeclaration {
  level: Exclude<LogLevel, 'off'>;
  meaning: string;
  fields: Readonly<Record<string, FieldKind>>;
}

/** Everything that can be logged. */
export const LOG_EVENTS = {
  started: {
    level: 'info',
    meaning: 'A process of Locus uses the data directory.',
    fields: { version: 'version', node: 'version', platform: ['linux', 'darwin', 'win32'] },
  },
  indexed: {
    level: 'info',
    meaning: 'An index was updated.',
    fields: { repository: 'repository', files: 'number', chunks: 'number', ms: 'number' },
  },
  searched: {
    level: 'info',
    meaning: 'A repository was searched.',
    fields: { repository: 'repository', results: 'number', ms: 'number' },
  },
  failed: {
    level: 'warn',
    meaning: 'A command or request failed with an expected error.',
    fields: { error: 'error' },
  },
  defect: {
    level: 'error',
    meaning: 'An unexpected error occurred: a defect in Locus.',
    fields: { error: 'error' },
  },
  'process-ended': {
    level: 'error',
    meaning: 'A process ended unexpectedly.',
    fields: { process: ['engine', 'server', 'page', 'helper'], reason: 'exit' },
  },
  'page-failed': {
    level: 'error',
    meaning: 'A script of a window failed.',
    fields: { line: 'number' },
  },
  'data-damaged': {
    level: 'warn',
    meaning: 'A damaged file was moved away and is being rebuilt.',
    fields: { file: ['index', 'app', 'check'] },
  },
  ignored: {
    level: 'debug',
    meaning: 'Optional work failed.',
    fields: { work: OPTIONAL_WORK, error: 'error' },
  },
} as const satisfies Readonly<Record<string, LogEventDeclaration>>;

export type LogEvent = keyof typeof LOG_EVENTS;

type FieldValue<K> = K extends 'number'
  ? number
  : K extends 'repository' | 'version' | 'exit'
    ? string
    : K extends readonly (infer Word)[]
      ? Word
      : unknown;
type LogFields<E extends LogEvent> = {
  [Name in keyof (typeof LOG_EVENTS)[E]['fields']]: FieldValue<
    (typeof LOG_EVENTS)[E]['fields'][Name]
  >;
};

const LEVELS: Readonly<Record<LogLevel, number>> = { off: 0, error: 1, warn: 2, info: 3, debug: 4 };
/** Maximum number of entries that wait while they cannot be written. */
const MAX_PENDING = 200;
const MAX_FRAMES = 4;

interface LogSetup {
  folder: string;
  level: LogLevel;
  host: LogHost;
}
/** Key under which threads find the setup of their process. */
const SETUP_KEY = 'locus.log';

let host: LogHost = 'other';
let setup: LogSetup | null = null;
let files: LogFiles | null = null;
let pending: { level: LogEventDeclaration['level']; line: string }[] = [];

/** Sets the name of this process in the log, and logs the error that ends the process. Call once, at startup. */
export function identifyProcess(as: LogHost): void {
  host = as;
  process.on('uncaughtExceptionMonitor', (error) => log('defect', { error }));
}

/** Starts logging to a data directory, which must exist by the next entry. Entries from before are written then. */
export function openLog(dataDirectory: string, level: LogLevel): void {
  const folder = join(dataDirectory, 'logs');
  if (setup?.folder === folder && setup.level === level && setup.host === host) return;
  applySetup({ folder, level, host });
  setEnvironmentData(SETUP_KEY, JSON.stringify(setup));
  const { node } = process.versions;
  log('started', { version: VERSION, node, platform: process.platform as 'linux' });
}

function applySetup(to: LogSetup): void {
  setup = to;
  files = new LogFiles(to.folder);
}

/** Logs an event. Never throws. */
export function log<E extends LogEvent>(event: E, fields: LogFields<E>): void {
  try {
    if (!setup && !isMainThread) joinProcess();
    const { level, fields: kinds } = LOG_EVENTS[event] as LogEventDeclaration;
    const values = fields as Readonly<Record<string, unknown>>;
    const texts = Object.entries(kinds).map(
      ([name, kind]) => ` ${name}=${formatField(kind, values[name])}`,
    );
    const thread = isMainThread ? '' : `.${threadId}`;
    const by = `${setup?.host ?? host}[${process.pid}${thread}]`;
    const line = `${new Date().toISOString()} ${level} ${by} ${event}${texts.join('')}\n`;
    pending = [...pending, { level, line }].slice(-MAX_PENDING).filter(isWanted);
    if (pending.length > 0 && files?.append(pending.map((entry) => entry.line).join('')))
      pending = [];
  } catch {
    // Logging must not break work, for example if the disk is full. Pending entries are written by a later call.
  }
}

/** Logs the error of a command or request, unless it was cancelled. */
export function logFailure(error: unknown): void {
  if (isCancelled(error)) return;
  log(error instanceof LocusError ? 'failed' : 'defect', { error });
}

/** Returns a function that logs why optional work failed, for `catch`. */
export const ignoring =
  (work: (typeof OPTIONAL_WORK)[number]) =>
  (error: unknown): void =>
    log('ignored', { work, error });

const isWanted = ({ level }: { level: LogLevel }): boolean =>
  !setup || LEVELS[level] <= LEVELS[setup.level];

function joinProcess(): void {
  const text = getEnvironmentData(SETUP_KEY);
  if (typeof text === 'string') applySetup(JSON.parse(text) as LogSetup);
}

function formatField(kind: FieldKind, value: unknown): string {
  if (kind === 'number') return Number.isFinite(value) ? String(Math.round(value as number)) : '?';
  if (kind === 'error') return describeError(value);
  const text = String(value);
  if (kind === 'version') return /^\d+(\.\d+)*$/.test(text) ? text : '?';
  if (kind === 'exit') return text.match(EXIT)?.join('/') ?? '?';
  if (kind === 'repository') return createHash('sha1').update(text).digest('hex').slice(0, 12);
  return kind.includes(text) ? text : '?';
}

/** Exit codes, signals, and the words of Electron. */
const EXIT =
  /\b(?:\d{1,10}|SIG[A-Z]{2,8}|oom|crashed|killed|abnormal-exit|clean-exit|launch-failed)\b/g;

/** Error codes of the system, Node, SQLite and undici. */
const SYSTEM_CODE = /^(E[A-Z0-9]{2,20}|(ERR|SQLITE|UND_ERR)_[A-Z0-9_]{1,50})$/;

/** Describes an error by class, codes, cause and locations in Locus, such as `LocusError/bad-store<Error/ENOSPC@src/x.ts:1:2`. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const { code } = error as { code?: unknown };
  const isOurs = error instanceof LocusError;
  const shown = isOurs || (typeof code === 'string' && SYSTEM_CODE.test(code)) ? `/${code}` : '';
  const cause = error.cause instanceof Error ? `<${describeError(error.cause)}` : '';
  const name = /^\w{1,40}$/.exec(error.constructor.name)?.[0] ?? 'Error';
  return `${name}${shown}${cause}${readFrames(error)
    .map((frame) => `@${frame}`)
    .join('')}`;
}

/** URL of Locus itself: the checkout or its package. */
const ROOT = /^(.*\/)(?:src|lib|out)\//.exec(import.meta.url)?.[1] ?? import.meta.url;
const FRAME = /^ {4}at (?:.*\()?(?:file:\/\/)?(\/[^()]*):(\d+):(\d+)\)?$/;
const OWN_PATH = /^(?:src|lib|out)\/[\w./-]{1,100}$/;

/** Returns the locations in Locus's own files where an error was created, innermost first. */
function readFrames({ stack = '', message }: Error): string[] {
  // The stack starts with the message, which may look like frames.
  const lines = stack.replace(message, '').split('\n');
  const root = ROOT.replace('file://', '');
  return lines
    .flatMap((line) => {
      const [, path = '', row, column] = FRAME.exec(line) ?? [];
      const own = path.startsWith(root) ? path.slice(root.length) : '';
      return OWN_PATH.test(own) ? [`${own}:${row}:${column}`] : [];
    })
    .slice(0, MAX_FRAMES);
}
