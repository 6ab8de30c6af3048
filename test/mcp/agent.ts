/** Agent for tests: the SDK's own client, over either transport, with the real process. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import {
  Client,
  type ClientOptions,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { STRUCTURED_META_KEY } from '../../src/mcp/tool.ts';

export const LOCUS = join(import.meta.dirname, '../../src/cli/locus.ts');

/** Two families of protocol revisions: with and without a handshake. */
export const ERAS = ['legacy', 'modern'] as const;
export type Era = (typeof ERAS)[number];

/** Repository with one function to edit for `ISSUE`, which another function calls. */
export const SHOP = {
  'shop/cart.py': `"""The cart of a shop."""
from shop.money import rounded


class Cart:
    def __init__(self, items):
        self.items = items

    def total(self):
        """What all items cost."""
        return rounded(sum(item.price for item in self.items))
`,
  'shop/money.py': `def rounded(amount, digits=1):
    """A price, rounded to so many digits."""
    return round(amount, digits)
`,
  'test/test_cart.py': `from shop.cart import Cart


def test_total():
    assert Cart([]).total() == 0
`,
};
export const ISSUE = 'The prices of a cart are rounded to the wrong number of digits';

export interface Place {
  path: string;
  name: string;
}

/** Answer of any tool. Tests check the fields that they expect. */
export interface Answered {
  isError: boolean;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the schemas of the tools are checked by the client
  value: any;
}

type CallOptions = NonNullable<Parameters<Client['callTool']>[1]>;

/** Answers for the client's model. */
export type ClientModel = (params: {
  systemPrompt?: string;
  messages: { content: unknown }[];
  maxTokens: number;
}) => string | Promise<string>;

export class Agent {
  readonly client: Client;
  /** Folders that the agent has open; null if it does not support roots. */
  roots: string[] | null;

  constructor(era: Era, roots: string[] | null, model: ClientModel | null = null) {
    this.roots = roots;
    const options: ClientOptions = {
      capabilities: {
        ...(roots && { roots: { listChanged: true } }),
        ...(model && { sampling: {} }),
      },
      versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: '2026-07-28' } },
    };
    this.client = new Client({ name: 'test', version: '1.0.0' }, options);
    if (model)
      this.client.setRequestHandler('sampling/createMessage', async ({ params }) => ({
        model: 'scripted',
        role: 'assistant' as const,
        content: { type: 'text' as const, text: await model(params) },
      }));
    if (roots === null) return;
    this.client.setRequestHandler('roots/list', async () => ({
      roots: (this.roots ?? []).map((folder) => ({ uri: pathToFileURL(folder).href })),
    }));
  }

  async call(
    name: string,
    args: Record<string, unknown> = {},
    options: CallOptions = {},
  ): Promise<Answered> {
    const result = await this.client.callTool(
      { name, arguments: args, _meta: { [STRUCTURED_META_KEY]: true } },
      { timeout: 300_000, ...options },
    );
    const [first, ...more] = result.content;
    assert.deepEqual(more, []);
    assert.equal(first?.type, 'text');
    const text = first.type === 'text' ? first.text : '';
    return { isError: result.isError === true, text, value: result.structuredContent };
  }

  /** Makes a call that must fail, and returns its text. */
  async fails(name: string, args: Record<string, unknown> = {}): Promise<string> {
    const { isError, text } = await this.call(name, args);
    assert.equal(isError, true, text);
    return text;
  }

  /** Repeats a call until the answer is complete, on a machine of any speed. */
  async ready(issue: string): Promise<Answered> {
    for (;;) {
      const answered = await this.call('locate', { query: issue });
      if (answered.value.partial === null) return answered;
    }
  }

  close(): Promise<void> {
    return this.client.close();
  }
}

export interface StdioSetting {
  dataDir: string;
  args?: string[];
  cwd?: string;
  roots?: string[] | null;
  era?: Era;
  model?: ClientModel | null;
  /** Additional environment variables of the process. */
  env?: Record<string, string>;
}

/** Agent that starts `locus mcp`. */
export async function stdioAgent(setting: StdioSetting): Promise<Agent> {
  const { dataDir, args = [], cwd = dataDir, roots = null, era = 'legacy', env } = setting;
  const agent = new Agent(era, roots, setting.model);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [LOCUS, 'mcp', '--data-dir', dataDir, ...args],
    cwd,
    env: { ...(process.env as Record<string, string>), ...env },
    stderr: 'inherit',
  });
  await agent.client.connect(transport);
  return agent;
}

/** Agent of a `locus serve --mcp`. */
export async function httpAgent(url: string, token: string, era: Era): Promise<Agent> {
  const agent = new Agent(era, null);
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  await agent.client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  return agent;
}

/** Checks that cancelling a call stops indexing. A run that continued would report progress until it is complete. */
export async function cancellingEndsTheWork(agent: Agent): Promise<void> {
  const cancelling = new AbortController();
  const call = agent.call(
    'locate',
    { query: ISSUE, waitSeconds: 60 },
    { signal: cancelling.signal, onprogress: () => cancelling.abort() },
  );
  await assert.rejects(call);
  let status: { state: string; indexing: string | null };
  do {
    await sleep(20);
    ({
      value: {
        repositories: [status],
      },
    } = await agent.call('repository_status'));
  } while (status.indexing !== null);
  assert.notEqual(status.state, 'complete');
}

/** Code that a tool returned for a function. */
export const codeOf = ({ lines }: { lines: { text: string }[] }) =>
  lines.map(({ text }) => text).join('\n');

export const names = (places: Place[]) => places.map(({ path, name }) => `${path}::${name}`);

/** Waits until the only repository of a server is no longer indexed, and returns its state. */
export async function untilIdle(agent: Agent): Promise<string> {
  for (let tries = 0; tries < 600; tries++) {
    const [status] = (await agent.call('repository_status')).value.repositories;
    if (status.indexing === null && status.state === 'complete') return status.state;
    await sleep(100);
  }
  return 'still indexed';
}
