/**
 * Restricts git to reading one repository. With these commands, options and environment, git writes nothing, runs no program named in the
 * repository's configuration, and uses no network. Every call of git goes through here. The user's own configuration (safe.directory,
 * global ignore files) still applies.
 */

import { delimiter } from 'node:path';

/**
 * Allowed commands with their fixed options. They are plumbing commands, since `git log` and others obey many more settings. The exception
 * is `blame`, which has no plumbing equivalent. It gets a commit, never a file on disk, on which it would run filters. The options override
 * those that a repository's configuration could set.
 */
const COMMANDS = {
  // No option prevents it from reading `blame.ignoreRevsFile`, so callers check that setting first.
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

/** Settings that keep git from running programs named in a configuration, for any command. */
export const NO_PROGRAMS = {
  // A file system monitor is a program.
  'core.fsmonitor': 'false',
  'core.hooksPath': '/dev/null',
  // A shell runs it when a repository shares the objects of another one and git needs that one's branches.
  'core.alternateRefsCommand': ':',
} satisfies Record<string, string>;

/** Settings that override those of the repository. */
const SETTINGS = {
  ...NO_PROGRAMS,
  'log.showSignature': 'false',
  // Names of authors come only from .mailmap, since a setting could name a device, which never ends.
  'mailmap.file': '/dev/null',
  'mailmap.blob': '',
  'protocol.allow': 'never',
};

/** Converts settings to options of git. Pure. */
export const toSettingOptions = (settings: Readonly<Record<string, string>>): string[] =>
  Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);

const OPTIONS = [
  '--no-pager',
  // Objects must match their ids.
  '--no-replace-objects',
  ...toSettingOptions(SETTINGS),
];

/** Returns all arguments of a safe call. `settings` are options of git itself, such as `-c name=value`. Pure. */
export function createSafeArguments(
  [command, ...rest]: GitArguments,
  settings: readonly string[] = [],
): string[] {
  return [...OPTIONS, ...settings, command, ...COMMANDS[command], ...rest];
}

/**
 * Variables of git that are passed on: locations of its programs and of the user's configuration, and limits for finding a repository.
 * The others point to other repositories (as git does for its hooks), name programs, or change the output.
 */
const PASSED_VARIABLES =
  /^GIT_(CONFIG_(GLOBAL|SYSTEM|NOSYSTEM|COUNT|KEY_\d+|VALUE_\d+|PARAMETERS)|EXEC_PATH|CEILING_DIRECTORIES|DISCOVERY_ACROSS_FILESYSTEM|TEST_ASSUME_DIFFERENT_OWNER)$/;

/**
 * Returns the environment of a safe call, based on that of this process. `ceiling` is added to `GIT_CEILING_DIRECTORIES`;
 * `maxAllocation` is the number of bytes that git may allocate at once.
 */
export function createSafeEnvironment({
  ceiling,
  maxAllocation,
}: {
  ceiling?: string;
  maxAllocation?: number;
}): NodeJS.ProcessEnv {
  const passed = Object.entries(process.env).filter(
    ([name]) => !/^GIT_/i.test(name) || PASSED_VARIABLES.test(name.toUpperCase()),
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
    // A partial clone must not fetch missing objects: no protocol is allowed, and newer versions of git don't even try.
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_NO_LAZY_FETCH: '1',
  };
}
