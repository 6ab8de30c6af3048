/** Arms of a trial, the MCP server of each, and a client that asks it. */
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

/** Tools of an agent besides a shell with `rg`: none, Locus, or a word search that looks like Locus. */
export const ARMS = ['rg', 'locus', 'placebo'] as const;
export type Arm = (typeof ARMS)[number];

const LOCUS = join(import.meta.dirname, '../../src/cli/locus.ts');
const PLACEBO = join(import.meta.dirname, 'placebo.ts');

/** Returns the command that starts the MCP server of an arm; null without a server. */
export function getServerCommand(arm: Arm, checkout: string, dataDir: string): string[] | null {
  const node = process.execPath;
  if (arm === 'rg') return null;
  if (arm === 'placebo') return [node, PLACEBO, checkout, dataDir];
  return [node, LOCUS, 'mcp', '--no-daemon', '--repo', checkout, '--data-dir', dataDir];
}

export type Tool = Awaited<ReturnType<Client['listTools']>>['tools'][number];

export interface ToolAnswer {
  text: string;
  isError: boolean;
}

/** Milliseconds that a tool may take. */
const TOOL_TIMEOUT_MS = 300_000;

/** A running MCP server and the client that asks it. */
export class ToolServer {
  readonly #client: Client;
  readonly tools: readonly Tool[];
  /** Text about the server that every agent gets. */
  readonly instructions: string;

  private constructor(client: Client, tools: readonly Tool[]) {
    this.#client = client;
    this.tools = tools;
    this.instructions = client.getInstructions() ?? '';
  }

  static async start([command = '', ...args]: readonly string[], cwd: string): Promise<ToolServer> {
    const client = new Client({ name: 'agent-trial', version: '1.0.0' });
    const env = process.env as Record<string, string>;
    const transport = new StdioClientTransport({ command, args, cwd, env, stderr: 'inherit' });
    await client.connect(transport);
    const { tools } = await client.listTools();
    return new ToolServer(client, tools);
  }

  /** Calls each tool that needs no argument, so that the index is loaded before the attempt starts. */
  async warmUp(): Promise<void> {
    for (const { name, inputSchema } of this.tools)
      if ((inputSchema.required ?? []).length === 0) await this.call(name, {});
  }

  /** Calls a tool. A failure is an answer, too, as agents get it. */
  async call(name: string, args: Record<string, unknown>): Promise<ToolAnswer> {
    try {
      const call = { name, arguments: args };
      const { content, isError } = await this.#client.callTool(call, { timeout: TOOL_TIMEOUT_MS });
      const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
      return { text, isError: isError === true };
    } catch (error) {
      return { text: `error: ${(error as Error).message}`, isError: true };
    }
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}
