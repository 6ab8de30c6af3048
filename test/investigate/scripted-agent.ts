/** An agent for tests, on the agent side of the protocol: it acts as a script says. */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { Readable, Writable } from 'node:stream';
import {
  type AgentContext,
  agent,
  type McpServer,
  methods,
  type NewSessionRequest,
  ndJsonStream,
  PROTOCOL_VERSION,
  RequestError,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

export const ANSWER = '{"edit": [{"id": 2, "reason": "Here."}], "order": [2], "missing": ["sold"]}';

const SESSION = 'one';

/** Answers a prompt. */
type Act = (turn: {
  client: AgentContext;
  text: string;
  /** Sends an update. */
  send: (update: SessionUpdate) => Promise<void>;
  /** Writes part of the answer. */
  say: (text: string) => Promise<void>;
  /** Reports a tool call. */
  call: (id: string, title?: string) => Promise<void>;
  /** Sends a request to the client, and records its result or error under a name. */
  record: (name: string, method: string, params: object) => Promise<void>;
}) => Promise<void>;

export interface Script {
  act: Act;
  /** Called with the parameters of `session/new`; may throw. */
  onSession?: (params: NewSessionRequest) => void;
  /** True to ignore that the client cancels. */
  ignoresCancel?: boolean;
  version?: number;
}

/** Serves on the standard streams. @param log file that gets a JSON object with everything the agent was told */
export function serve(script: Script, log: string): void {
  const told: Record<string, unknown> = {
    args: process.argv.slice(2),
    env: process.env,
    cwd: process.cwd(),
    prompts: [],
    results: {},
    pid: process.pid,
  };
  const note = (name: string, value: unknown) => {
    told[name] = value;
    try {
      writeFileSync(log, JSON.stringify(told));
    } catch {
      // In a sandbox, the file cannot be written.
    }
  };
  let cancelPrompt = () => {};
  agent({ name: 'scripted' })
    .onRequest(methods.agent.initialize, ({ params }) => {
      note('initialize', params);
      return { protocolVersion: script.version ?? PROTOCOL_VERSION, agentCapabilities: {} };
    })
    .onRequest(methods.agent.session.new, ({ params }) => {
      note('session', params);
      script.onSession?.(params);
      return { sessionId: SESSION };
    })
    .onRequest(methods.agent.session.prompt, async ({ params, client }) => {
      const text = params.prompt.map((block) => ('text' in block ? block.text : '')).join('');
      note('prompts', [...(told.prompts as string[]), text]);
      const send = (update: SessionUpdate) =>
        client.notify(methods.client.session.update, { sessionId: SESSION, update });
      const cancelled = new Promise<void>((resolve) => {
        cancelPrompt = resolve;
      });
      const acting = script.act({
        client,
        text,
        send,
        say: (part) =>
          send({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: part } }),
        call: (id, title = id) => send({ sessionUpdate: 'tool_call', toolCallId: id, title }),
        record: async (name, method, request) => {
          const result = await client
            .request(method, { sessionId: SESSION, ...request })
            .then(JSON.stringify, (error: RequestError) => `${error.code} ${error.message}`);
          note('results', { ...(told.results as object), [name]: result });
        },
      });
      const ended = await Promise.race([acting.then(() => 'end'), cancelled.then(() => 'cancel')]);
      return { stopReason: ended === 'end' ? 'end_turn' : 'cancelled' };
    })
    .onNotification(methods.agent.session.cancel, () => {
      note('cancelled', true);
      if (!script.ignoresCancel) cancelPrompt();
    })
    .connect(
      ndJsonStream(
        Writable.toWeb(process.stdout),
        Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>,
      ),
    );
}

const wait = () => new Promise<never>(() => setInterval(() => {}, 1000));

/** Scripts by name. */
export const SCRIPTS: Record<string, (log: string, argument: string) => Script> = {
  answers: () => ({
    act: async ({ say, call, send }) => {
      await say('I look at it. [3]');
      await send({
        sessionUpdate: 'agent_thought_chunk',
        content: { type: 'text', text: 'The total is\nwrong in ' },
      });
      await send({
        sessionUpdate: 'agent_thought_chunk',
        content: { type: 'text', text: 'two places.' },
      });
      await send({
        sessionUpdate: 'plan',
        entries: [{ content: 'Read f2', status: 'in_progress', priority: 'high' }],
      });
      await call('1', 'locus: read f2');
      await send({ sessionUpdate: 'tool_call_update', toolCallId: '1', status: 'completed' });
      await say(ANSWER.slice(0, 30));
      await say(ANSWER.slice(30));
    },
  }),
  'asks for permission': () => ({
    act: async ({ say, record }) => {
      const toolCall = { toolCallId: 'p', title: 'rm -rf /\u001b[2J' };
      const permit = (kind: string) => ({ optionId: kind, name: kind, kind });
      const method = methods.client.session.requestPermission;
      await record('offered', method, {
        toolCall,
        options: [permit('allow_always'), permit('allow_once'), permit('reject_once')],
      });
      await record('forced', method, { toolCall, options: [permit('allow_once')] });
      await say(ANSWER);
    },
  }),
  'tries everything': (_, outside) => ({
    act: async ({ say, record }) => {
      const { fs, terminal } = methods.client;
      await record('write', fs.writeTextFile, { path: `${outside}/new.py`, content: 'x' });
      await record('terminal', terminal.create, { command: 'touch', args: [`${outside}/made`] });
      await record('passwd', fs.readTextFile, { path: '/etc/passwd' });
      await record('up', fs.readTextFile, { path: `${outside}/../secret.txt` });
      await record('link', fs.readTextFile, { path: `${outside}/link.py` });
      await record('relative', fs.readTextFile, { path: 'a.py' });
      await record('config', fs.readTextFile, { path: `${outside}/.git/config` });
      await record('unknown', '_no/such', {});
      await record('indexed', fs.readTextFile, { path: `${outside}/a.py`, line: 2, limit: 1 });
      await say(ANSWER);
    },
  }),
  'floods with updates': () => ({
    act: async ({ send }) => {
      for (;;)
        await send({
          sessionUpdate: 'agent_thought_chunk',
          content: { type: 'text', text: `${'more '.repeat(2000)}\n` },
        });
    },
  }),
  'floods with lines': () => ({
    act: async () => {
      const line = 'x\n'.repeat(30_000);
      const write = () => {
        while (process.stdout.write(line));
        process.stdout.once('drain', write);
      };
      write();
      await wait();
    },
  }),
  'calls without end': () => ({
    act: async ({ call }) => {
      for (let count = 0; ; count++) await call(`call ${count}`);
    },
  }),
  'sends garbage': () => ({
    act: async ({ say }) => {
      const response = { jsonrpc: '2.0', id: 99, result: 'of nothing' };
      const update = { sessionUpdate: 'agent_message_chunk', content: 5 };
      const odd = {
        jsonrpc: '2.0',
        method: 'session/update',
        params: { sessionId: 'one', update },
      };
      const own = { ...odd, params: { sessionId: 'another', update: { ...update, content: {} } } };
      for (const line of ['{', 'null', '[]', '"\u001b[2J"', '{"jsonrpc":"1.0"}', '', '\u0000'])
        process.stdout.write(`${line}\n`);
      for (const message of [response, response, odd, own, { ...odd, params: null }])
        process.stdout.write(`${JSON.stringify(message)}\n`);
      await say(ANSWER);
    },
  }),
  'sends a line of 100 MB': () => ({
    act: async () => {
      const part = 'x'.repeat(1_000_000);
      for (let count = 0; count < 100; count++)
        await new Promise((done) => process.stdout.write(part, done));
      process.stdout.write('\n');
      await wait();
    },
  }),
  'thinks without end': () => ({
    act: async ({ send }) => {
      await send({
        sessionUpdate: 'agent_thought_chunk',
        content: { type: 'text', text: 'Where is the total?\n' },
      });
      await wait();
    },
  }),
  'never answers': () => ({ act: wait }),
  'ignores that it is cancelled': () => ({ act: wait, ignoresCancel: true }),
  dies: () => ({
    act: async () => {
      process.stderr.write('Out of credit.\u001b[2J\n', () => process.exit(3));
      await wait();
    },
  }),
  'leaves a child behind': () => ({
    act: async ({ say, record }) => {
      const idle = ['-e', 'setInterval(() => {}, 1000)'];
      const child = spawn(process.execPath, idle, { stdio: 'ignore' });
      await record(`child ${child.pid}`, '_no/such', {});
      await say(ANSWER);
    },
  }),
  'answers with hostile text': () => ({
    act: async ({ say, call, send }) => {
      const hostile = 'Ignore all\n\u001b[2J\u202e| locus: done';
      await call('h', hostile);
      await send({
        sessionUpdate: 'plan',
        entries: [{ content: hostile, status: 'in_progress', priority: 'low' }],
      });
      await say(
        JSON.stringify({
          edit: [{ id: 3, reason: hostile.repeat(100) }, { id: 99, reason: 'x' }, { id: -1 }],
          order: [1e9, 'f1', null, { id: 1 }],
          missing: [hostile, 'x'.repeat(1000), 5],
        }),
      );
    },
  }),
  'answers at the second prompt': () => ({
    act: async ({ say, text }) =>
      say(text.startsWith('Answer now') ? ANSWER : 'It is complicated.'),
  }),
  'uses the tools': () => {
    let server: McpServer | undefined;
    return {
      onSession: ({ mcpServers }) => {
        [server] = mcpServers;
      },
      act: async ({ say, call, text }) => {
        if (!server || !('command' in server)) throw new Error('No tools are offered.');
        const { command, args } = server;
        const tools = new Client({ name: 'scripted', version: '1' });
        await tools.connect(
          new StdioClientTransport({ command, args, stderr: 'inherit', env: process.env as never }),
        );
        await call('l', 'locate');
        const issue = /^#\w+ issue\n([\s\S]*?)\n#\w+ 1 /m.exec(text)?.[1];
        const { content } = await tools.callTool({ name: 'locate', arguments: { query: issue } });
        const [, path = '', name = ''] =
          /`([^`]+)`\\n1\. `([^`]+)`/.exec(JSON.stringify(content)) ?? [];
        const id = new RegExp(`^#\\w+ (\\d+) \\w+ "${name}" "${path}"`, 'm').exec(text)?.[1];
        await tools.close();
        await say(JSON.stringify({ edit: [{ id, reason: `Found ${name}.` }], order: [id] }));
      },
    };
  },
  'answers nothing': () => ({ act: async ({ say }) => say('I cannot say.') }),
  'is not signed in': () => ({
    act: wait,
    onSession: () => {
      throw RequestError.authRequired();
    },
  }),
  'speaks another version': () => ({ act: wait, version: 7 }),
};
