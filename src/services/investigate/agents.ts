/** Agents that speak the Agent Client Protocol: how each is started with no tools but those of Locus, and where it keeps its own settings. */
import { join } from 'node:path';

import type { AgentName, Endpoint } from '../../shared/check-endpoint.ts';
import { AGENTS, CODEX_FEATURES } from '../check/agents.ts';

/** Name of the server that offers Locus's tools. */
export const TOOL_SERVER = 'locus';

export interface Investigator {
  /** Name or absolute path of the program. */
  program: string;
  /** Text of a file that its arguments may name. */
  policy: string;
  listArguments(policyFile: string): string[];
  /** Variables that it gets from the user's environment, besides those of every program. */
  variables: RegExp | null;
  /** Variables that turn its own tools off. */
  environment: Readonly<Record<string, string>>;
  /** Extension of `session/new` that turns its own tools off. */
  meta?: Record<string, unknown>;
  /** Sentence that says where to get it. */
  remedy: string;
  /** Lists its own files and folders, which it may change. */
  listOwnFiles(home: string, env: Readonly<Record<string, string | undefined>>): string[];
}

/** Tools of the server. Gemini CLI does not match rules by the name of a server reliably. */
const TOOLS = ['locate', 'read', 'grep', 'repository_status'];
const qualifiedTools = TOOLS.map((name) => `mcp_${TOOL_SERVER}_${name}`);

const allowOnlyLocus = `[[rule]]
toolName = ${JSON.stringify(qualifiedTools)}
decision = "allow"
priority = 999

[[rule]]
toolName = "*"
decision = "deny"
priority = 998
`;

/** By the sources of claude-agent-acp 0.101, codex-acp 2.6 and Gemini CLI 0.61. */
const INVESTIGATORS: Readonly<Record<AgentName, Omit<Investigator, 'variables'>>> = {
  claude: {
    program: 'claude-agent-acp',
    policy: '',
    listArguments: () => [],
    environment: {},
    meta: {
      claudeCode: {
        options: {
          tools: [],
          allowedTools: [`mcp__${TOOL_SERVER}`],
          settingSources: [],
          strictMcpConfig: true,
          persistSession: false,
        },
      },
    },
    remedy: 'Install its adapter: npm install -g @agentclientprotocol/claude-agent-acp.',
    listOwnFiles: (home, env) => [
      env.CLAUDE_CONFIG_DIR ?? join(home, '.claude'),
      join(home, '.claude.json'),
    ],
  },
  codex: {
    program: 'codex-acp',
    policy: '',
    listArguments: () => [],
    environment: {
      INITIAL_AGENT_MODE: 'read-only',
      NO_BROWSER: '1',
      CODEX_CONFIG: JSON.stringify({
        features: Object.fromEntries(
          [...CODEX_FEATURES, 'view_image'].map((name) => [name, false]),
        ),
        web_search: 'disabled',
      }),
    },
    remedy: 'Install its adapter: npm install -g @agentclientprotocol/codex-acp.',
    listOwnFiles: (home, env) => [env.CODEX_HOME ?? join(home, '.codex')],
  },
  gemini: {
    program: 'gemini',
    policy: allowOnlyLocus,
    listArguments: (policyFile) => [
      ...['--acp', '--skip-trust', '--approval-mode', 'default', '--admin-policy', policyFile],
      ...['--extensions', 'none', '--allowed-mcp-server-names', TOOL_SERVER],
    ],
    environment: {},
    remedy: 'Install it: npm install -g @google/gemini-cli.',
    listOwnFiles: (home) => [join(home, '.gemini')],
  },
};

/** Returns how the agent at an address is started. A program that Locus does not know gets no arguments and no variables of its own. */
export function getInvestigator({ agent = '' }: Endpoint): Investigator {
  if (Object.hasOwn(INVESTIGATORS, agent)) {
    const name = agent as AgentName;
    return { ...INVESTIGATORS[name], variables: AGENTS[name].variables };
  }
  return {
    program: agent,
    policy: '',
    listArguments: () => [],
    variables: null,
    environment: {},
    remedy: 'Install it, or correct its path.',
    listOwnFiles: () => [],
  };
}
