/**
 * Finds tokens for code hosts, in environment variables or through GitHub's and GitLab's command-line tools. Each token is for one
 * host and only sent there. A token is never part of an error, a log, a URL or a program's arguments.
 */
import { execFile } from 'node:child_process';
import { homedir } from 'node:os';
import { promisify } from 'node:util';
import type { Environment } from '../../base/environment.ts';
import { badInput } from '../../shared/errors.ts';
import {
  type CodeHostKind,
  formatHost,
  type IssueUrl,
  isExposed,
  parseHost,
} from '../../shared/issue-url.ts';

export interface HostToken {
  /** The token itself. */
  value: string;
  /** Source of the token, for people: `gh`, or the name of a variable. */
  from: string;
}

/** Variables with a token, the variable with the host that they are for, and the default host. */
const VARIABLES: Readonly<Record<CodeHostKind, readonly Variables[]>> = {
  github: [{ tokens: ['GH_TOKEN', 'GITHUB_TOKEN'], host: 'GH_HOST', defaultHost: 'github.com' }],
  gitlab: [{ tokens: ['GITLAB_TOKEN'], host: 'GITLAB_HOST', defaultHost: 'gitlab.com' }],
  gitea: [
    { tokens: ['GITEA_TOKEN'], host: 'GITEA_SERVER_URL', defaultHost: 'gitea.com' },
    { tokens: ['FORGEJO_TOKEN'], host: 'FORGEJO_SERVER_URL', defaultHost: 'codeberg.org' },
  ],
};

interface Variables {
  tokens: readonly string[];
  host: string;
  defaultHost: string;
}

/** Host that cannot exist: a tool's answer for it is a setting for all hosts. */
const UNKNOWN_HOST = 'nobody.invalid';

/** Programs that store tokens, also in the system's keychain, and the arguments that print the token for a host. */
const PROGRAMS: Partial<Record<CodeHostKind, { name: string; args: (host: string) => string[] }>> =
  {
    github: { name: 'gh', args: (host) => ['auth', 'token', `--hostname=${host}`] },
    gitlab: { name: 'glab', args: (host) => ['config', 'get', 'token', `--host=${host}`] },
  };

/**
 * Finds the token to send to a code host; null if none exists, or the connection is not encrypted. Runs `gh` or `glab` if no
 * variable is set. Contacts no other machine.
 *
 * @throws LocusError `bad-input` for a token that cannot be sent
 */
export async function findToken(
  forge: CodeHostKind,
  link: Pick<IssueUrl, 'origin'>,
  env: Environment,
): Promise<HostToken | null> {
  if (isExposed(link)) return null;
  const host = formatHost(link).replace(/^http:\/\//, '');
  const found = fromEnvironment(forge, host, env) ?? (await fromProgram(forge, host, env));
  if (found === null || /^[\x21-\x7e]{1,2000}$/.test(found.value)) return found;
  throw badInput(
    `The token from ${found.from} contains invalid characters.`,
    'Set it again, without blanks or quotes around it.',
  );
}

function fromEnvironment(forge: CodeHostKind, host: string, env: Environment): HostToken | null {
  for (const { tokens, host: variable, defaultHost } of VARIABLES[forge]) {
    const named = env[variable] ? parseHost(env[variable].replace(/\/$/, '')) : defaultHost;
    if (named?.replace(/^http:\/\//, '') !== host) continue;
    const from = tokens.find((name) => env[name]?.trim());
    if (from) return { value: env[from]?.trim() ?? '', from };
  }
  return null;
}

async function fromProgram(
  forge: CodeHostKind,
  host: string,
  env: Environment,
): Promise<HostToken | null> {
  const program = PROGRAMS[forge];
  if (!program) return null;
  const { name, args } = program;
  const value = await readOutput(name, args(host), env);
  if (!value) return null;
  // For a host without a setting, `glab config` prints the one for all hosts.
  const forAll = await readOutput(name, args(UNKNOWN_HOST), env);
  return value === forAll ? null : { value, from: name };
}

/** Returns what a program prints; null if it is missing, fails or takes too long. Its output is never shown, since it may quote a token. */
async function readOutput(name: string, args: string[], env: Environment): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)(name, args, {
      // Outside the repository, whose configuration these tools would read.
      cwd: homedir(),
      env: createToolEnvironment(env),
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

/** Returns the environment without tokens for other hosts, and with variables that disable prompts, update checks and telemetry. */
function createToolEnvironment(env: Environment): NodeJS.ProcessEnv {
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
