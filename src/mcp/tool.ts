/** What a tool is: schemas, a text for models, and the way from a call to an answer or an error that says what to do. */

import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
  type StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { logFailure } from '../base/log.ts';
import type { Answer as AnswerFrom, AskedRepository } from '../services/keeper/asked-repository.ts';
import { chunkName } from '../shared/chunk.ts';
import { toWire } from '../shared/errors.ts';
import type { IndexProgress } from '../shared/indexing.ts';
import { visible } from '../shared/quoted.ts';
import { progressReport } from './progress.ts';
import { type Place, Roots } from './roots.ts';

/** Seconds that a call waits for the index before what is there answers. */
export const WAIT_S = 10;

export interface Host {
  repositories: {
    use<T>(place: Place, work: (repository: AskedRepository) => Promise<T>): Promise<T>;
    close(): Promise<void>;
  };
  /** The folders that the user named; null leaves it to the client, and to the working directory. */
  named: Roots | null;
  /** The working directory; null where there is none to speak of, as behind HTTP. */
  directory: string | null;
}

export class Call {
  readonly roots: Roots;
  readonly #repositories: Host['repositories'];
  readonly signal: AbortSignal;
  readonly #onProgress: ((progress: IndexProgress) => void) | undefined;

  constructor(host: Host, roots: Roots, context: ServerContext) {
    this.roots = roots;
    this.#repositories = host.repositories;
    this.signal = context.mcpReq.signal;
    this.#onProgress = progressReport(context);
  }

  /**
   * Answers from a repository that is brought up to date first.
   * @throws LocusError `bad-input` for a repository that is not in the roots; as `AskedRepository.ask`
   */
  ask<T>(repository: string | undefined, waitSeconds: number, answer: AnswerFrom<T>): Promise<T> {
    const { signal } = this;
    const question = { signal, waitMs: 1000 * waitSeconds, onProgress: this.#onProgress };
    return this.use(repository, (asked) => asked.ask(question, answer));
  }

  /**
   * Uses a repository as it is.
   * @throws LocusError `bad-input` for a repository that is not in the roots
   */
  async use<T>(
    repository: string | undefined,
    work: (asked: AskedRepository) => Promise<T>,
  ): Promise<T> {
    return this.#repositories.use(this.roots.find(repository), work);
  }
}

/** The answer of a tool: a value for programs, and the same in few words for a model. */
interface Answer<T> {
  value: T;
  text: string;
}

interface Definition<In, Out extends object> {
  name: string;
  title: string;
  description: string;
  input: StandardSchemaWithJSON<unknown, In>;
  output: StandardSchemaWithJSON<unknown, Out>;
  answer(args: In, call: Call): Promise<Answer<Out>>;
}

export type Tool = (server: McpServer, host: Host) => void;

/** A tool that reads. Whatever fails in it is an error of the tool, which the model reads, never one of the protocol. */
export function tool<In, Out extends object>(definition: Definition<In, Out>): Tool {
  const { name, title, description, input, output, answer } = definition;
  return (server, host) => {
    const annotations = { title, readOnlyHint: true, idempotentHint: true, openWorldHint: false };
    const config = { title, description, inputSchema: input, outputSchema: output, annotations };
    const handle = async (
      args: In,
      context: ServerContext,
    ): Promise<CallToolResult | InputRequiredResult> => {
      try {
        const roots = rootsOf(server, host, context);
        if (roots === null) return ROOTS_WANTED;
        const { value, text } = await answer(args, new Call(host, roots, context));
        return { content: [{ type: 'text', text }], structuredContent: { ...value } };
      } catch (error) {
        logFailure(error);
        return failure(error);
      }
    };
    server.registerTool(name, config, handle);
  };
}

const ROOTS = 'roots';
const ROOTS_WANTED = inputRequired({ inputRequests: { [ROOTS]: inputRequired.listRoots() } });

/** The roots of a call; null when the client has to be asked first, which it is at every call: it may have changed them. */
function rootsOf(server: McpServer, { named, directory }: Host, context: ServerContext) {
  if (named) return named;
  if (hasRoots(server, context)) {
    const view = inputResponse(context.mcpReq.inputResponses, ROOTS);
    if (view.kind !== 'roots') return null;
    if (view.roots.length > 0) return Roots.ofClient(view.roots.map(({ uri }) => uri));
  }
  return directory === null ? Roots.ofClient([]) : Roots.ofDirectory(directory);
}

/** Where each request says what its client can do, as since 2026. */
const envelope = z.object({ [CLIENT_CAPABILITIES_META_KEY]: z.object({ roots: z.object() }) });

function hasRoots({ server }: McpServer, { mcpReq }: ServerContext): boolean {
  return (
    Boolean(server.getClientCapabilities()?.roots) || envelope.safeParse(mcpReq.envelope).success
  );
}

function failure(error: unknown): CallToolResult {
  const { message, remedy } = toWire(error);
  const text = [`error: ${visible(message)}`, `→ ${visible(remedy)}`].join('\n');
  return { isError: true, content: [{ type: 'text', text }] };
}

export const repositoryArgument = z
  .string()
  .min(1)
  .max(4096)
  .optional()
  .describe('Its name or path; may be left out where there is only one (see repository_status)');

export const nameArgument = chunkName.describe(
  'path::qualified.name as `locate` gives it, path:line, or a name that occurs once',
);
