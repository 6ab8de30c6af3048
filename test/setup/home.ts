/** An invented home folder with the configuration of agents, and `locus setup` on it. */
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fakeEngine, locus } from '../cli/fake-host.ts';
import { removeFolder, temporaryFolder, writeFiles } from '../support/repository.ts';

/** Configuration files of agents in their usual places, as a person may have written them. */
export const CONFIGS = {
  '.claude.json':
    '{\n  "numStartups": 12,\n  "mcpServers": {\n    "tickets": { "type": "stdio", "command": "tickets", "args": [] }\n  },\n  "projects": {}\n}\n',
  '.codex/config.toml':
    '# Mine\nmodel = "gpt-5"   # the fast one\nnotes = """\n[mcp_servers.locus]\n"""\n\n[mcp_servers.tickets]\ncommand = "tickets"\n\n[projects."/src"]\ntrust_level = "trusted"',
  '.cursor/mcp.json': '{"mcpServers":{"tickets":{"command":"tickets"}}}',
  '.config/Code/User/mcp.json':
    '{\r\n\t// Servers\r\n\t"servers": {\r\n\t\t"tickets": { "command": "tickets" }, // ours\r\n\t},\r\n}\r\n',
  '.gemini/settings.json': '{\n    "theme": "Default"\n}\n',
  '.config/opencode/opencode.jsonc':
    '{\n  // Schema\n  "$schema": "https://opencode.ai/config.json",\n}\n',
  '.config/goose/config.yaml':
    'GOOSE_MODE: auto # carefully\nextensions:\n  # Built in\n  developer:\n    type: builtin\n    enabled: true\n\nGOOSE_MODEL: some\n',
  '.continue/config.yaml':
    'name: Mine\nversion: 1.0.0\nschema: v1\nmodels:\n  - name: local\n    provider: ollama\nmcpServers:\n- name: tickets\n  command: tickets\n',
  '.config/zed/settings.json':
    '// Settings\n{\n  "theme": "One Dark",\n  "context_servers": {},\n}\n',
  '.codeium/windsurf/mcp_config.json': '',
  '.cline/data/settings/cline_mcp_settings.json': '{\n  "mcpServers": {}\n}',
  '.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json':
    '{ "mcpServers": { } }\n',
  '.kiro/settings/mcp.json': '\ufeff{\n  "mcpServers": {\n  }\n}\n',
  '.junie/mcp/mcp.json': '{\n}\n',
  '.copilot/mcp-config.json':
    '{\n  "mcpServers": {\n    "tickets": { "type": "local", "command": "tickets", "args": [], "tools": ["*"] }\n  }\n}\n',
} as const;

export type ConfigPath = keyof typeof CONFIGS;

export class Home {
  readonly parent = temporaryFolder('locus-setup-');
  readonly path = join(this.parent, 'home');
  readonly dataDir = join(this.parent, 'data');

  constructor(files: Record<string, string | Uint8Array>) {
    writeFiles(this.path, { '.profile': '', ...files });
  }

  at = (...names: string[]): string => join(this.path, ...names);

  read = (name: string): string => readFileSync(this.at(name), 'utf8');

  write(name: string, content: string): void {
    writeFiles(this.path, { [name]: content });
  }

  /** Runs `locus setup` without a terminal. */
  run = (args: string[], setting: Parameters<typeof locus>[2] = {}) =>
    locus(fakeEngine([]), ['setup', ...args], {
      ...setting,
      env: { HOME: this.path, PATH: '', LOCUS_DATA_DIR: this.dataDir, ...setting.env },
    });

  /** Lists the paths below the home folder with kind, mode and content. */
  snapshot(folder = this.path): Record<string, string> {
    const names = (readdirSync(folder, { recursive: true }) as string[]).sort();
    return Object.fromEntries(names.map((name) => [name, describe(join(folder, name))]));
  }

  /** Names in the folder of the data directory that holds the journal. */
  listStored = (): string[] => readdirSync(join(this.dataDir, 'setup')).sort();

  [Symbol.dispose](): void {
    removeFolder(this.parent);
  }
}

function describe(path: string): string {
  const found = lstatSync(path);
  if (found.isSymbolicLink()) return `link ${readlinkSync(path)}`;
  const mode = (found.mode & 0o777).toString(8);
  return found.isDirectory() ? `folder ${mode}` : `file ${mode} ${readFileSync(path, 'base64')}`;
}
