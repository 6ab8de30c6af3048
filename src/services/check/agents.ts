/** Agents that answer a prompt without using tools: which flags hold each of them to that, and which variables it gets. */

import { AGENT_TITLES, type AgentName } from '../../shared/check-endpoint.ts';
import { badInput } from '../../shared/errors.ts';

/** Files of a run, all in a folder of its own. */
export interface AgentFiles {
  /** JSON schema of the answer. */
  schema: string;
  /** File that the agent may write its answer to. */
  answer: string;
  /** Policy that denies every tool. */
  policy: string;
}

export interface Agent {
  title: string;
  /** Name of the program. */
  program: string;
  /** Arguments whose output lists the flags, to see whether this version has those below. */
  help: readonly string[];
  /** Flags without which it could use tools, read settings of others, or store the prompt. */
  required: readonly string[];
  /** Returns the arguments of a run. The prompt is on standard input. */
  listArguments(model: string, files: AgentFiles): string[];
  /** Variables that it gets, besides those of every program. */
  variables: RegExp;
  /** True if it writes its answer to `AgentFiles.answer` instead of standard output. */
  writesFile?: true;
}

const withModel = (model: string): string[] => (model === '' ? [] : ['--model', model]);

/** Features of `codex` that let a model act or start programs. */
export const CODEX_FEATURES = [
  'shell_tool',
  'unified_exec',
  'hooks',
  'plugins',
  'apps',
  'multi_agent',
  'browser_use',
  'computer_use',
  'image_generation',
];

/** Flags by the documentation and `--help` of Claude Code 2.1.197, Codex 0.142 and Gemini CLI 0.40. */
export const AGENTS: Readonly<Record<AgentName, Agent>> = {
  claude: {
    title: AGENT_TITLES.claude,
    program: 'claude',
    help: ['--help'],
    required: ['--tools', '--safe-mode', '--strict-mcp-config', '--no-session-persistence'],
    listArguments: (model) => [
      ...['--print', '--output-format', 'text'],
      ...['--tools', '', '--safe-mode', '--strict-mcp-config', '--no-session-persistence'],
      ...withModel(model),
    ],
    variables: /^(ANTHROPIC|CLAUDE|AWS|GOOGLE|CLOUD_ML)_/,
  },
  codex: {
    title: AGENT_TITLES.codex,
    program: 'codex',
    help: ['exec', '--help'],
    required: [
      '--sandbox',
      '--ephemeral',
      '--ignore-user-config',
      '--ignore-rules',
      '--disable',
      '--skip-git-repo-check',
    ],
    listArguments: (model, { schema, answer }) => [
      ...['exec', '--sandbox', 'read-only', '--ephemeral', '--ignore-user-config'],
      ...['--ignore-rules', '--skip-git-repo-check', '--color', 'never'],
      ...CODEX_FEATURES.flatMap((name) => ['--disable', name]),
      ...['--output-schema', schema, '--output-last-message', answer],
      ...withModel(model),
      '-',
    ],
    variables: /^(OPENAI|CODEX)_/,
    writesFile: true,
  },
  gemini: {
    title: AGENT_TITLES.gemini,
    program: 'gemini',
    help: ['--help'],
    required: ['--approval-mode', '--admin-policy', '--extensions', '--allowed-mcp-server-names'],
    listArguments: (model, { policy }) => [
      ...['--prompt', '', '--output-format', 'text', '--approval-mode', 'default'],
      ...['--admin-policy', policy, '--extensions', 'none'],
      ...['--allowed-mcp-server-names', 'none'],
      ...withModel(model),
    ],
    variables: /^(GEMINI|GOOGLE|GCLOUD|CLOUDSDK)_/,
  },
};

/** Denies all tools of Gemini CLI, before any other rule. */
export const DENY_ALL = '[[rule]]\ntoolName = "*"\ndecision = "deny"\npriority = 999\n';

/** Variables that every program gets: where it finds itself, its user and its network. */
const COMMON =
  /^(PATH|HOME|USER|LOGNAME|LANG|LC_\w+|TZ|TMPDIR|TEMP|TMP|XDG_\w+|SYSTEMROOT|COMSPEC|PATHEXT|APPDATA|LOCALAPPDATA|USERPROFILE|PROGRAMDATA|(HTTPS?|ALL|NO)_PROXY|SSL_CERT_(FILE|DIR)|NODE_EXTRA_CA_CERTS)$/i;

/** Selects the variables that an agent gets. */
export function selectVariables(
  env: Readonly<Record<string, string | undefined>>,
  own: RegExp | null,
): Record<string, string> {
  const kept = Object.entries(env).filter(
    ([name, value]) => value !== undefined && (COMMON.test(name) || own?.test(name)),
  );
  return { ...(Object.fromEntries(kept) as Record<string, string>), NO_COLOR: '1' };
}

/** @throws LocusError `bad-input` if this version of an agent lacks a flag that holds it back */
export function assertHeldBack({ title, required }: Agent, help: string): void {
  const known = new Set(help.split(/[^\w-]+/));
  const missing = required.filter((flag) => !known.has(flag));
  if (missing.length > 0)
    throw badInput(
      `This version of ${title} does not know ${missing.join(', ')}, without which it could act on its own.`,
      'Update it, or use a model’s server.',
    );
}
