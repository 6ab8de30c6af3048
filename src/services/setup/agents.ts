/**
 * Coding agents: how they are found, and which files tell them about Locus. `docs` has the addresses of each agent's own documentation.
 * lab/notes/2026-11-29-agent-configurations.md says how each format was checked.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ConfigEntry, JsonValue } from './config-format.ts';
import type { Places } from './places.ts';
import type { ServerCommand, ServerCommands } from './server-command.ts';
import {
  FINDER,
  renderClaudeFinder,
  renderContinueRule,
  renderCursorFinder,
  renderOpenCodeFinder,
} from './texts.ts';

/** An entry in a configuration file. */
export interface EntryFile extends ConfigEntry {
  kind: 'entry';
  path: string;
  format: 'json' | 'toml' | 'yaml';
  what: 'server' | 'hook';
}

/** A file that is Locus's as a whole. */
export interface TextFile {
  kind: 'text';
  path: string;
  text: string;
  what: 'server' | 'skill' | 'rule' | 'sub-agent';
}

export type AgentFile = EntryFile | TextFile;

export interface SetupContext {
  places: Places;
  /** Root of the project; null for the files of the user. */
  project: string | null;
  server: ServerCommands;
  /** Folders that the server may read; those of the agent if empty. */
  folders: readonly string[];
  /** Content of the skill. */
  skill: string;
  /** True to add hooks, which run a command. */
  hooks: boolean;
}

export interface CodingAgent {
  id: string;
  name: string;
  docs: readonly string[];
  /** Lists files and folders of which one exists if the agent is used. Locus creates none of them. */
  listSigns(places: Places): string[];
  /** Lists the same for a project, relative to its root. */
  projectSigns: readonly string[];
  listFiles(context: SetupContext): AgentFile[];
}

/** Name of the server in every configuration. */
const NAME = 'locus';

type StartedFrom = 'terminal' | 'desktop';

/** Returns the command that starts Locus. A file that other people share names no path of this machine. */
const getProgram = ({ project, server }: SetupContext, from: StartedFrom): ServerCommand =>
  project === null ? server[from] : server.shared;

/** Returns the command that starts the server. */
function getServer(context: SetupContext, from: StartedFrom): ServerCommand {
  const { command, args } = getProgram(context, from);
  const folders = context.folders.flatMap((folder) => ['--repo', folder]);
  return { command, args: [...args, 'mcp', ...folders] };
}

const getStdioServer = (context: SetupContext, from: StartedFrom): JsonValue => ({
  type: 'stdio',
  ...getServer(context, from),
});

const addServer = (
  path: string,
  key: string,
  value: JsonValue,
  format: EntryFile['format'] = 'json',
): EntryFile => ({
  kind: 'entry',
  what: 'server',
  path,
  format,
  keys: [key, NAME],
  isInList: false,
  value,
});

/** The skill in a folder of skills. Its folder has to have the name of the skill. */
const addSkill = (folder: string, { skill }: SetupContext): TextFile => ({
  kind: 'text',
  what: 'skill',
  path: join(folder, NAME, 'SKILL.md'),
  text: skill,
});

/** The skill in the folder that several agents read, so that none of them finds it twice. */
const addSharedSkill = (context: SetupContext): TextFile =>
  addSkill(join(context.project ?? context.places.home, '.agents', 'skills'), context);

const addFinder = (folder: string, text: string): TextFile => ({
  kind: 'text',
  what: 'sub-agent',
  path: join(folder, `${FINDER}.md`),
  text,
});

/** User folders of Visual Studio Code and its variants that exist. */
const findCodeFolders = ({ apps }: Places): string[] =>
  listCodeFolders({ apps }).filter((folder) => existsSync(folder));

const listCodeFolders = ({ apps }: Pick<Places, 'apps'>): string[] =>
  ['Code', 'Code - Insiders', 'VSCodium'].map((name) => join(apps, name, 'User'));

/** Settings file of an extension in each of these folders, if the extension is installed there. */
const findExtensionFiles = (places: Places, extension: string, file: string): string[] =>
  findCodeFolders(places)
    .map((folder) => join(folder, 'globalStorage', extension))
    .filter((folder) => existsSync(folder))
    .map((folder) => join(folder, 'settings', file));

const claude: CodingAgent = {
  id: 'claude',
  name: 'Claude Code',
  docs: [
    'https://code.claude.com/docs/en/mcp',
    'https://code.claude.com/docs/en/skills',
    'https://code.claude.com/docs/en/sub-agents',
    'https://code.claude.com/docs/en/hooks',
  ],
  listSigns: ({ home, env }) => [
    env.CLAUDE_CONFIG_DIR || join(home, '.claude'),
    join(env.CLAUDE_CONFIG_DIR || home, '.claude.json'),
  ],
  projectSigns: ['.claude', '.mcp.json', 'CLAUDE.md'],
  listFiles(context) {
    const { project, places, hooks } = context;
    const { home, env } = places;
    const folder =
      project === null ? env.CLAUDE_CONFIG_DIR || join(home, '.claude') : join(project, '.claude');
    const config =
      project === null
        ? join(env.CLAUDE_CONFIG_DIR || home, '.claude.json')
        : join(project, '.mcp.json');
    return [
      addServer(config, 'mcpServers', getStdioServer(context, 'terminal')),
      addSkill(join(folder, 'skills'), context),
      addFinder(join(folder, 'agents'), renderClaudeFinder()),
      ...(hooks
        ? [addClaudeHook(join(folder, 'settings.json'), getProgram(context, 'terminal'))]
        : []),
    ];
  },
};

/** Hook that updates the index in the background when a session starts. What it printed would be added to the session, so it is quiet. */
function addClaudeHook(path: string, { command, args }: ServerCommand): EntryFile {
  const words = [command, ...args, 'index', '.', '--quiet'];
  const line = words
    .map((word) => (/^[\w./:\\@+-]+$/.test(word) ? word : JSON.stringify(word)))
    .join(' ');
  return {
    kind: 'entry',
    what: 'hook',
    path,
    format: 'json',
    keys: ['hooks', 'SessionStart'],
    isInList: true,
    value: { matcher: 'startup', hooks: [{ type: 'command', command: line, async: true }] },
  };
}

const codex: CodingAgent = {
  id: 'codex',
  name: 'Codex',
  docs: ['https://developers.openai.com/codex/mcp', 'https://developers.openai.com/codex/skills'],
  listSigns: ({ home, env }) => [env.CODEX_HOME || join(home, '.codex')],
  projectSigns: ['.codex'],
  listFiles(context) {
    const { project, places } = context;
    const { home, env } = places;
    const folder =
      project === null ? env.CODEX_HOME || join(home, '.codex') : join(project, '.codex');
    const server = { ...getServer(context, 'terminal') };
    return [
      addServer(join(folder, 'config.toml'), 'mcp_servers', server, 'toml'),
      addSharedSkill(context),
    ];
  },
};

const cursor: CodingAgent = {
  id: 'cursor',
  name: 'Cursor',
  docs: [
    'https://cursor.com/docs/context/mcp',
    'https://cursor.com/docs/context/skills',
    'https://cursor.com/docs/context/subagents',
  ],
  listSigns: ({ home }) => [join(home, '.cursor')],
  projectSigns: ['.cursor', '.cursorrules'],
  listFiles(context) {
    const folder = join(context.project ?? context.places.home, '.cursor');
    return [
      addServer(join(folder, 'mcp.json'), 'mcpServers', getStdioServer(context, 'desktop')),
      addSkill(join(folder, 'skills'), context),
      addFinder(join(folder, 'agents'), renderCursorFinder()),
    ];
  },
};

const vscode: CodingAgent = {
  id: 'vscode',
  name: 'VS Code with Copilot',
  docs: [
    'https://code.visualstudio.com/docs/copilot/customization/mcp-servers',
    'https://code.visualstudio.com/docs/copilot/customization/agent-skills',
  ],
  listSigns: listCodeFolders,
  projectSigns: ['.vscode', '.github/copilot-instructions.md'],
  listFiles(context) {
    const { project, places } = context;
    const [first = ''] = listCodeFolders(places);
    const found = findCodeFolders(places);
    const folders =
      project === null ? (found.length > 0 ? found : [first]) : [join(project, '.vscode')];
    const skills =
      project === null
        ? join(places.home, '.copilot', 'skills')
        : join(project, '.github', 'skills');
    const server = getStdioServer(context, 'desktop');
    return [
      ...folders.map((folder) => addServer(join(folder, 'mcp.json'), 'servers', server)),
      addSkill(skills, context),
    ];
  },
};

const copilot: CodingAgent = {
  id: 'copilot',
  name: 'Copilot CLI',
  docs: [
    'https://docs.github.com/en/copilot/how-tos/copilot-cli/customize-copilot/add-mcp-servers',
  ],
  listSigns: ({ home, env }) =>
    ['config.json', 'settings.json', 'mcp-config.json'].map((file) =>
      join(env.COPILOT_HOME || join(home, '.copilot'), file),
    ),
  projectSigns: ['.github/mcp.json'],
  listFiles(context) {
    const { project, places } = context;
    const folder = places.env.COPILOT_HOME || join(places.home, '.copilot');
    const server: JsonValue = { type: 'local', ...getServer(context, 'terminal'), tools: ['*'] };
    return project === null
      ? [
          addServer(join(folder, 'mcp-config.json'), 'mcpServers', server),
          addSkill(join(folder, 'skills'), context),
        ]
      : [
          addServer(join(project, '.github', 'mcp.json'), 'mcpServers', server),
          addSkill(join(project, '.github', 'skills'), context),
        ];
  },
};

const gemini: CodingAgent = {
  id: 'gemini',
  name: 'Gemini CLI',
  docs: ['https://geminicli.com/docs/tools/mcp-server/', 'https://geminicli.com/docs/cli/skills/'],
  listSigns: ({ home, env }) => [join(env.GEMINI_CLI_HOME || home, '.gemini')],
  projectSigns: ['.gemini', 'GEMINI.md'],
  listFiles(context) {
    const { project, places } = context;
    const folder = join(project ?? (places.env.GEMINI_CLI_HOME || places.home), '.gemini');
    return [
      addServer(join(folder, 'settings.json'), 'mcpServers', { ...getServer(context, 'terminal') }),
      addSharedSkill(context),
    ];
  },
};

const opencode: CodingAgent = {
  id: 'opencode',
  name: 'OpenCode',
  docs: [
    'https://opencode.ai/docs/mcp-servers/',
    'https://opencode.ai/docs/skills/',
    'https://opencode.ai/docs/agents/',
  ],
  listSigns: ({ config }) => [join(config, 'opencode')],
  projectSigns: ['.opencode', 'opencode.json', 'opencode.jsonc'],
  listFiles(context) {
    const { project, places } = context;
    const root = project ?? join(places.config, 'opencode');
    const folder = project === null ? root : join(project, '.opencode');
    const files = ['opencode.jsonc', 'opencode.json'].map((name) => join(root, name));
    const config = files.find((path) => existsSync(path)) ?? join(root, 'opencode.json');
    const { command, args } = getServer(context, 'terminal');
    const server = { type: 'local', command: [command, ...args], enabled: true };
    return [
      addServer(config, 'mcp', server),
      addSharedSkill(context),
      addFinder(join(folder, 'agents'), renderOpenCodeFinder()),
    ];
  },
};

const zed: CodingAgent = {
  id: 'zed',
  name: 'Zed',
  docs: ['https://zed.dev/docs/ai/mcp', 'https://zed.dev/docs/ai/skills'],
  listSigns: (places) => [getZedFolder(places)],
  projectSigns: ['.zed'],
  listFiles(context) {
    const { project, places } = context;
    const skill = addSharedSkill(context);
    if (project !== null) return [skill];
    const server: JsonValue = { source: 'custom', ...getServer(context, 'desktop'), env: {} };
    return [
      addServer(join(getZedFolder(places), 'settings.json'), 'context_servers', server),
      skill,
    ];
  },
};

/** On macOS, Zed uses ~/.config too. */
const getZedFolder = ({ platform, apps, config, home }: Places): string =>
  platform === 'win32'
    ? join(apps, 'Zed')
    : join(platform === 'darwin' ? join(home, '.config') : config, 'zed');

const windsurf: CodingAgent = {
  id: 'windsurf',
  name: 'Windsurf',
  docs: [
    'https://docs.windsurf.com/windsurf/cascade/mcp',
    'https://docs.windsurf.com/windsurf/cascade/skills',
  ],
  listSigns: ({ home }) => [join(home, '.codeium', 'windsurf')],
  projectSigns: ['.windsurf', '.windsurfrules'],
  listFiles(context) {
    const { project, places } = context;
    if (project !== null) return [addSkill(join(project, '.windsurf', 'skills'), context)];
    const folder = join(places.home, '.codeium', 'windsurf');
    return [
      addServer(join(folder, 'mcp_config.json'), 'mcpServers', {
        ...getServer(context, 'desktop'),
      }),
      addSkill(join(folder, 'skills'), context),
    ];
  },
};

const continueAgent: CodingAgent = {
  id: 'continue',
  name: 'Continue',
  docs: [
    'https://docs.continue.dev/customize/deep-dives/mcp',
    'https://docs.continue.dev/customize/deep-dives/rules',
  ],
  listSigns: ({ home }) => [join(home, '.continue', 'config.yaml')],
  projectSigns: ['.continue'],
  listFiles(context) {
    const { project, places } = context;
    const folder = join(project ?? places.home, '.continue');
    const server = { name: NAME, ...getServer(context, 'desktop') };
    const block = { name: 'Locus', version: '0.0.1', schema: 'v1', mcpServers: [server] };
    const rule: TextFile = {
      kind: 'text',
      what: 'rule',
      path: join(folder, 'rules', `${NAME}.md`),
      text: renderContinueRule(),
    };
    // A YAML document may be JSON. The keys that the file needs are those of a block.
    if (project !== null)
      return [
        {
          kind: 'text',
          what: 'server',
          path: join(folder, 'mcpServers', `${NAME}.yaml`),
          text: `${JSON.stringify(block, null, 2)}\n`,
        },
        rule,
      ];
    const path = join(folder, 'config.yaml');
    const entry = {
      path,
      format: 'yaml',
      keys: ['mcpServers'],
      isInList: true,
      value: server,
    } as const;
    return [{ kind: 'entry', what: 'server', ...entry }, rule];
  },
};

const cline: CodingAgent = {
  id: 'cline',
  name: 'Cline',
  docs: [
    'https://docs.cline.bot/mcp/configuring-mcp-servers',
    'https://docs.cline.bot/getting-started/config',
  ],
  listSigns: (places) => [
    join(places.home, '.cline', 'data'),
    ...listCodeFolders(places).map((folder) => join(folder, 'globalStorage', CLINE)),
  ],
  projectSigns: ['.cline', '.clinerules'],
  listFiles(context) {
    const { project, places } = context;
    const skill = addSkill(join(project ?? places.home, '.cline', 'skills'), context);
    if (project !== null) return [skill];
    const own = join(places.home, '.cline', 'data', 'settings', CLINE_FILE);
    const inCode = findExtensionFiles(places, CLINE, CLINE_FILE);
    const hasOwn = existsSync(join(places.home, '.cline', 'data')) || inCode.length === 0;
    const server = { ...getServer(context, 'desktop') };
    return [
      ...[...(hasOwn ? [own] : []), ...inCode].map((path) => addServer(path, 'mcpServers', server)),
      skill,
    ];
  },
};
const CLINE = 'saoudrizwan.claude-dev';
const CLINE_FILE = 'cline_mcp_settings.json';

const roo: CodingAgent = {
  id: 'roo',
  name: 'Roo Code',
  docs: [
    'https://docs.roocode.com/features/mcp/using-mcp-in-roo',
    'https://docs.roocode.com/features/skills',
  ],
  listSigns: (places) =>
    listCodeFolders(places).map((folder) => join(folder, 'globalStorage', ROO)),
  projectSigns: ['.roo'],
  listFiles(context) {
    const { project, places } = context;
    const server = { ...getServer(context, 'desktop') };
    const files =
      project === null
        ? findExtensionFiles(places, ROO, 'mcp_settings.json')
        : [join(project, '.roo', 'mcp.json')];
    return [
      ...files.map((path) => addServer(path, 'mcpServers', server)),
      addSkill(join(project ?? places.home, '.roo', 'skills'), context),
    ];
  },
};
const ROO = 'rooveterinaryinc.roo-cline';

const goose: CodingAgent = {
  id: 'goose',
  name: 'Goose',
  docs: [
    'https://block.github.io/goose/docs/guides/config-files',
    'https://block.github.io/goose/docs/guides/context-engineering/using-skills',
  ],
  listSigns: (places) => [getGooseFolder(places)],
  projectSigns: ['.goose', '.goosehints'],
  listFiles(context) {
    const { project, places } = context;
    const skill = addSharedSkill(context);
    if (project !== null) return [skill];
    const { command: cmd, args } = getServer(context, 'desktop');
    const server = { type: 'stdio', name: NAME, enabled: true, cmd, args, envs: {}, timeout: 300 };
    const path = join(getGooseFolder(places), 'config.yaml');
    return [addServer(path, 'extensions', server, 'yaml'), skill];
  },
};

const getGooseFolder = ({ platform, apps, config, home }: Places): string =>
  platform === 'win32'
    ? join(apps, 'Block', 'goose', 'config')
    : join(platform === 'darwin' ? join(home, '.config') : config, 'goose');

const kiro: CodingAgent = {
  id: 'kiro',
  name: 'Kiro',
  docs: ['https://kiro.dev/docs/mcp/configuration/', 'https://kiro.dev/docs/skills/'],
  listSigns: ({ home }) => [join(home, '.kiro')],
  projectSigns: ['.kiro'],
  listFiles(context) {
    const folder = join(context.project ?? context.places.home, '.kiro');
    const server = { ...getServer(context, 'desktop') };
    return [
      addServer(join(folder, 'settings', 'mcp.json'), 'mcpServers', server),
      addSkill(join(folder, 'skills'), context),
    ];
  },
};

const junie: CodingAgent = {
  id: 'junie',
  name: 'JetBrains Junie',
  docs: [
    'https://www.jetbrains.com/help/junie/model-context-protocol-mcp.html',
    'https://www.jetbrains.com/help/junie/agent-skills.html',
  ],
  listSigns: ({ home }) => [join(home, '.junie')],
  projectSigns: ['.junie'],
  listFiles(context) {
    const folder = join(context.project ?? context.places.home, '.junie');
    const server = { ...getServer(context, 'desktop') };
    return [
      addServer(join(folder, 'mcp', 'mcp.json'), 'mcpServers', server),
      addSkill(join(folder, 'skills'), context),
    ];
  },
};

/** Agents in the order in which they are listed. */
export const AGENTS: readonly CodingAgent[] = [
  claude,
  codex,
  cursor,
  vscode,
  copilot,
  gemini,
  opencode,
  zed,
  windsurf,
  continueAgent,
  cline,
  roo,
  goose,
  kiro,
  junie,
];

/** Returns the agents that are used: by files of the user, or of a project if one is given. */
export function findAgents(places: Places, project: string | null): CodingAgent[] {
  return AGENTS.filter(({ listSigns, projectSigns }) => {
    const signs =
      project === null ? listSigns(places) : projectSigns.map((sign) => join(project, sign));
    return signs.some((sign) => existsSync(sign));
  });
}
