/** Talks to an agent over the Agent Client Protocol, as its client. It may read files of the index, and nothing else. */
import {
  type ClientConnection,
  client,
  methods,
  PROTOCOL_VERSION,
  RequestError,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
} from '@agentclientprotocol/sdk';

import { LocusError } from '../../shared/errors.ts';
import { VERSION } from '../../shared/version.ts';
import { EndpointFailure } from '../check/client.ts';
import type { AgentProcess } from './agent-process.ts';
import { type Investigator, TOOL_SERVER } from './agents.ts';
import { createProtocolStream } from './protocol-stream.ts';
import type { ReadFileRequest } from './read-file.ts';
import type { StepReader } from './steps.ts';

/** Command that serves Locus's tools on its standard streams. */
export interface ToolServer {
  command: string;
  args: string[];
}

export interface ConversationOptions {
  process: AgentProcess;
  investigator: Investigator;
  /** Name of the agent, for messages. */
  host: string;
  tools: ToolServer;
  steps: StepReader;
  readFile: (request: ReadFileRequest) => Promise<string>;
}

/** Error code of an agent that needs its user to sign in. */
const AUTH_REQUIRED = -32_000;

export class Conversation {
  readonly #options: ConversationOptions;
  readonly #connection: ClientConnection;
  #sessionId = '';

  constructor(options: ConversationOptions) {
    this.#options = options;
    const { process, host, steps } = options;
    this.#connection = client({ name: 'locus' })
      .onRequest(methods.client.session.requestPermission, ({ params }) => {
        steps.refuse(`Permission for: ${params.toolCall.title ?? params.toolCall.toolCallId}`);
        return refusePermission(params);
      })
      .onRequest(methods.client.fs.readTextFile, ({ params }) => this.#readFile(params))
      // Writing and terminals are not offered, so an agent that asks anyway is told so.
      .onRequest('*', ({ method }) => {
        steps.refuse(`Request: ${method}`);
        throw RequestError.methodNotFound(method.slice(0, 100));
      })
      .connect(
        createProtocolStream(process.child, {
          host,
          onUpdate: (params) => steps.read(params, this.#sessionId),
        }),
      );
  }

  /**
   * Opens a session.
   * @throws EndpointFailure if the agent does not speak the protocol, or is not signed in
   */
  async open(): Promise<void> {
    const { agent } = this.#connection;
    const { host, investigator, process, tools } = this.#options;
    await this.#explain(async () => {
      const { protocolVersion } = await agent.request(methods.agent.initialize, {
        protocolVersion: PROTOCOL_VERSION,
        clientCapabilities: { fs: { readTextFile: true, writeTextFile: false }, terminal: false },
        clientInfo: { name: 'locus', title: 'Locus', version: VERSION },
      });
      if (protocolVersion !== PROTOCOL_VERSION)
        throw new EndpointFailure(
          `${host} speaks version ${protocolVersion} of the Agent Client Protocol. Locus speaks version ${PROTOCOL_VERSION}.`,
          'Install another version of it.',
        );
      const { sessionId } = await agent.request(methods.agent.session.new, {
        cwd: process.folder,
        mcpServers: [{ name: TOOL_SERVER, ...tools, env: [] }],
        ...(investigator.meta && { _meta: investigator.meta }),
      });
      this.#sessionId = sessionId;
    });
  }

  /**
   * Sends a prompt, and returns what the agent wrote after its last tool call.
   * @throws EndpointFailure if it fails or refuses
   */
  async ask(text: string): Promise<string> {
    const { host, steps } = this.#options;
    steps.startPrompt();
    const { stopReason } = await this.#explain(() =>
      this.#connection.agent.request(methods.agent.session.prompt, {
        sessionId: this.#sessionId,
        prompt: [{ type: 'text', text }],
      }),
    );
    if (stopReason === 'refusal' || stopReason === 'cancelled')
      throw new EndpointFailure(
        `${host} ended the investigation without an answer (${stopReason}).`,
        'Try again, or use another agent.',
      );
    return steps.answer;
  }

  /** Asks the agent to stop. It may ignore that. */
  async cancel(): Promise<void> {
    if (this.#sessionId === '') return;
    await this.#connection.agent
      .notify(methods.agent.session.cancel, { sessionId: this.#sessionId })
      // The connection is closed already.
      .catch(() => {});
  }

  /** True if the agent closed the connection. */
  get isClosed(): boolean {
    const { aborted, reason } = this.#connection.signal;
    return aborted && !(reason instanceof EndpointFailure);
  }

  close(): void {
    this.#connection.close();
  }

  async #readFile(params: ReadFileRequest): Promise<{ content: string }> {
    const { steps, readFile } = this.#options;
    try {
      const content = await readFile(params);
      steps.countToolCall(`Read ${params.path}`);
      return { content };
    } catch (error) {
      if (!(error instanceof LocusError)) throw error;
      steps.refuse(`Read ${params.path}`);
      throw RequestError.invalidParams(undefined, error.message);
    }
  }

  /** Runs a request. Describes errors of the agent for people. */
  async #explain<T>(request: () => Promise<T>): Promise<T> {
    const { host } = this.#options;
    try {
      return await request();
    } catch (error) {
      if (error instanceof EndpointFailure) throw error;
      if (error instanceof RequestError && error.code === AUTH_REQUIRED)
        throw new EndpointFailure(`${host} is not signed in.`, 'Sign in to it in a terminal.');
      const said = error instanceof Error ? error.message : String(error);
      throw new EndpointFailure(
        `${host} failed: ${said.replace(/\s+/g, ' ').slice(0, 200).replace(/\.$/, '')}.`,
        'Check that it is up to date, signed in, and speaks the Agent Client Protocol.',
      );
    }
  }
}

/** Chooses the option that refuses a request, or cancels it. */
function refusePermission({ options }: RequestPermissionRequest): RequestPermissionResponse {
  const refusing = options.find(({ kind }) => kind === 'reject_once' || kind === 'reject_always');
  return {
    outcome: refusing
      ? { outcome: 'selected', optionId: refusing.optionId }
      : { outcome: 'cancelled' },
  };
}
