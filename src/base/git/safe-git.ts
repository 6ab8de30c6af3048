/**
 * What keeps git from doing more than reading one repository: the commands that Locus uses, with the options and the
 * environment under which they write nothing, run no program that the repository's configuration names, and reach
 * nowhere. Every call goes through here. The user's own configuration (safe.directory, global ignore files) stays in force.
 */

import { delimiter } from 'node:path';

/**
 * Plumbing only, but for `blame`, which has none and is given a commit, never a file on disk, which it would run filters
 * on: `git log` and its like obey many more settings. A command with an option in a repository's hands has
 * the option here that takes it back.
 */
const COMMANDS = {
  // Whatever it is told, it reads `blame.ignoreRevsFile`: whoever calls it looks at that first.
  blame: ['--no-textconv'],
  'cat-file': [],
  'check-ignore': [],
  config: [],
  'diff-tree': ['--no-ext-diff', '--no-textconv'],
  'for-each-ref': [],
  'ls-files': [],
  'ls-tree': [],
  'rev-list': [],
  'rev-parse': [],
  version: [],
} satisfies Record<string, readonly string[]>;

type GitCommand = keyof typeof COMMANDS;

export type GitArguments = readonly [GitCommand, ...string[]];

/** Settings that keep git from running programs that a configuration names, whatever it is called for. */
export const NO_PROGRAMS = {
  // A file system monitor is a program.
  'core.fsmonitor': 'false',
  'core.hooksPath': '/dev/null',
  // Run by a shell whenever the objects of another repository are borrowed and its branches matter.
  'core.alternateRefsCommand': ':',
} satisfies Record<string, string>;

/** Settings that win over the repository's. */
const SETTINGS = {
  ...NO_PROGRAMS,
  'log.showSignature': 'false',
  // Names of authors come from .mailmap alone: a setting could name a device, which has no end.
  'mailmap.file': '/dev/null',
  'mailmap.blob': '',
  'protocol.allow': 'never',
};

/** Settings as options of a call. Pure. */
export const settingOptions = (settings: Readonly<Record<string, string>>): string[] =>
  Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);

const OPTIONS = [
  '--no-pager',
  // Objects are what their ids say.
  '--no-replace-objects',
  ...settingOptions(SETTINGS),
];

/** All arguments of a safe call; `settings` are options of git itself, such as `-c name=value`. Pure. */
export function safeArguments(
  [command, ...rest]: GitArguments,
  settings: readonly string[] = [],
): string[] {
  return [...OPTIONS, ...settings, command, ...COMMANDS[command], ...rest];
}

/**
 * The variables of git's that are passed on: where its programs and the user's configuration are, and where a search
 * for a repository ends. The others point elsewhere (as an outer git does for its hooks), name programs, or change what
 * git prints.
 */
const PASSED_ON =
  /^GIT_(CONFIG_(GLOBAL|SYSTEM|NOSYSTEM|COUNT|KEY_\d+|VALUE_\d+|PARAMETERS)|EXEC_PATH|CEILING_DIRECTORIES|DISCOVERY_ACROSS_FILESYSTEM|TEST_ASSUME_DIFFERENT_OWNER)$/;

/**
 * The environment of a safe call, made of the caller's; `ceiling` is one more of `GIT_CEILING_DIRECTORIES`,
 * `maxAllocation` the bytes that git may allocate at once.
 */
export function safeEnvironment({
  ceiling,
  maxAllocation,
}: {
  ceiling?: string;
  maxAllocation?: number;
}): NodeJS.ProcessEnv {
  const passed = Object.entries(process.env).filter(
    ([name]) => !/^GIT_/i.test(name) || PASSED_ON.test(name.toUpperCase()),
  );
  return {
    ...Object.fromEntries(passed),
    ...(ceiling && {
      GIT_CEILING_DIRECTORIES: [ceiling, process.env.GIT_CEILING_DIRECTORIES ?? '']
        .filter(Boolean)
        .join(delimiter),
    }),
    ...(maxAllocation && { GIT_ALLOC_LIMIT: String(maxAllocation) }),
    LC_ALL: 'C',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    // A partial clone must not fetch what it lacks: no protocol is allowed, and newer gits do not even try.
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_NO_LAZY_FETCH: '1',
  };
}
