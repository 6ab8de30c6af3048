/**
 * Tokens for forges: from the environment, or from GitHub's and GitLab's own command line tools. Each is for one host and
 * is given for that one alone. A token is in no error, no log, no address and no arguments of a program.
 */
import { execFile } from 'node:child_process';
import { homedir } from 'node:os';
import { promisify } from 'node:util';
import type { Environment } from '../../base/environment.ts';
import { badInput } from '../../shared/errors.ts';
import {
  type ForgeName,
  hostOf,
  type IssueLink,
  isExposed,
  readHost,
} from '../../shared/issue-link.ts';

export interface Token {
  /** What is sent. */
  value: string;
  /** Where it comes from, for people: `gh`, or a variable's name. */
  from: string;
}

/** Variables with a token, which host they are for, and which that is unless a variable says another. */
const VARIABLES: Readonly<Record<ForgeName, readonly Variables[]>> = {
  github: [{ tokens: ['GH_TOKEN', 'GITHUB_TOKEN'], host: 'GH_HOST', unless: 'github.com' }],
  gitlab: [{ tokens: ['GITLAB_TOKEN'], host: 'GITLAB_HOST', unless: 'gitlab.com' }],
  gitea: [
    { tokens: ['GITEA_TOKEN'], host: 'GITEA_SERVER_URL', unless: 'gitea.com' },
    { tokens: ['FORGEJO_TOKEN'], host: 'FORGEJO_SERVER_URL', unless: 'codeberg.org' },
  ],
};

interface Variables {
  tokens: readonly string[];
  host: string;
  unless: string;
}

/** A host of no one: what a tool says of it, it says of every host. */
const NOBODY = 'nobody.invalid';

/** Programs that keep tokens, also in the system's store of secrets, and what asks them for the one of a host. */
const PROGRAMS: Partial<Record<ForgeName, { name: string; args: (host: string) => string[] }>> = {
  github: { name: 'gh', args: (host) => ['auth', 'token', `--hostname=${host}`] },
  gitlab: { name: 'glab', args: (host) => ['config', 'get', 'token', `--host=${host}`] },
};

/**
 * The token that a forge is to get with requests for a link; null for none, and for hosts that are asked unencrypted.
 * Runs `gh` or `glab` where the environment has none, and reaches nowhere.
 *
 * @throws LocusError `bad-input` for a token that cannot be sent.
 */
export async function tokenFor(
  forge: ForgeName,
  link: Pick<IssueLink, 'origin'>,
  env: Environment,
): Promise<Token | null> {
  if (isExposed(link)) return null;
  const host = hostOf(link).replace(/^http:\/\//, '');
  const found = fromEnvironment(forge, host, env) ?? (await fromProgram(forge, host, env));
  if (found === null || /^[\x21-\x7e]{1,2000}$/.test(found.value)) return found;
  throw badInput(
    `the token of ${found.from} holds characters that no token has`,
    'set it anew, without blanks and quotes around it',
  );
}

function fromEnvironment(forge: ForgeName, host: string, env: Environment): Token | null {
  for (const { tokens, host: variable, unless } of VARIABLES[forge]) {
    const named = env[variable] ? readHost(env[variable].replace(/\/$/, '')) : unless;
    if (named?.replace(/^http:\/\//, '') !== host) continue;
    const from = tokens.find((name) => env[name]?.trim());
    if (from) return { value: env[from]?.trim() ?? '', from };
  }
  return null;
}

async function fromProgram(
  forge: ForgeName,
  host: string,
  env: Environment,
): Promise<Token | null> {
  const program = PROGRAMS[forge];
  if (!program) return null;
  const { name, args } = program;
  const value = await ask(name, args(host), env);
  if (!value) return null;
  // `glab config` answers with a setting for all hosts where a host has none.
  const forAll = await ask(name, args(NOBODY), env);
  return value === forAll ? null : { value, from: name };
}

/** What a program prints; null where it is not there, fails, or takes long. Its words, which may quote, go nowhere. */
async function ask(name: string, args: string[], env: Environment): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)(name, args, {
      // Not in the repository, whose configuration these tools read as well.
      cwd: homedir(),
      env: quiet(env),
      timeout: 5000,
      maxBuffer: 100_000,
      windowsHide: true,
    });
    return stdout.trim() || null;
  } catch {
    // The program is missing or has no token.
    return null;
  }
}

/** Without the variables that have tokens for other hosts, and with those that keep these tools from asking and calling home. */
function quiet(env: Environment): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !/TOKEN/i.test(name));
  return {
    ...Object.fromEntries(kept),
    GH_NO_UPDATE_NOTIFIER: '1',
    GH_PROMPT_DISABLED: '1',
    GH_TELEMETRY: 'false',
    GLAB_CHECK_UPDATE: 'false',
    GLAB_SEND_TELEMETRY: 'false',
    NO_PROMPT: '1',
    DO_NOT_TRACK: '1',
  };
}
