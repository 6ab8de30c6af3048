/** Defines tools: schemas, text for models, and the handling of calls and errors. */

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
import type {
  AnswerFunction as AnswerFrom,
  OnDemandRepository,
} from '../services/keeper/on-demand-repository.ts';
import type { CheckOutcome } from '../shared/check.ts';
import { chunkName } from '../shared/chunk.ts';
import { toFailure } from '../shared/errors.ts';
import type { IndexProgress } from '../shared/indexing.ts';
import { escapeHidden } from '../shared/quote.ts';
import type { QueryTarget } from '../shared/repository.ts';
import { createProgressListener } from './progress.ts';
import { type RootedFolder, Roots } from './roots.ts';
import type { RequestSampling } from './sampling.ts';

/** Default seconds that a call waits for the index, before it answers from the part that exists. */
export const DEFAULT_WAIT_S = 10;

export interface ToolHost {
  repositories: {
    use<T>(folder: RootedFolder, run: (repository: OnDemandRepository) => Promise<T>): Promise<T>;
    close(): Promise<void>;
  };
  /** Folder with the checks of issues. */
  dataDirectory: string;
  /** Folders that the user named; null to use those of the client or the working directory. */
  namedRoots: Roots | null;
  /** Working directory; null for HTTP. */
  workingDirectory: string | null;
}

export class ToolCall {
  readonly roots: Roots;
  readonly #repositories: ToolHost['repositories'];
  readonly #dataDirectory: string;
  readonly signal: AbortSignal;
  /** Sends progress to the client; undefined if it did not ask for any. */
  readonly onProgress: ((progress: IndexProgress) => void) | undefined;
  /** Asks the client's model; null if the client does not offer it. */
  readonly requestSampling: RequestSampling | null;

  constructor(
    host: ToolHost,
    roots: Roots,
    context: ServerContext,
    requestSampling: RequestSampling | null,
  ) {
    this.requestSampling = requestSampling;
    this.roots = roots;
    this.#repositories = host.repositories;
    this.#dataDirectory = host.dataDirectory;
    this.signal = context.mcpReq.signal;
    this.onProgress = createProgressListener(context);
  }

  /**
   * Updates a repository and answers from it.
   * @param about text of an issue: the files that it is likely about are indexed first
   * @throws LocusError `bad-input` if the repository is not in the roots; as `OnDemandRepository.ask`
   */
  ask<T>(
    repository: string | undefined,
    waitSeconds: number,
    answer: AnswerFrom<T>,
    about?: string,
  ): Promise<T> {
    const { signal, onProgress } = this;
    const question = { signal, waitMs: 1000 * waitSeconds, about, onProgress };
    return this.use(repository, (asked) => asked.ask(question, answer));
  }

  /** Returns the stored check of an issue, as `StoredChecks.find`. Asks no model. */
  async findCheck(issue: string, repository: QueryTarget): Promise<CheckOutcome | null> {
    // Imported when needed, because agents allow a server little time to start.
    const { StoredChecks } = await import('../services/check/stored-checks.ts');
    const { root } = await repository.status();
    return new StoredChecks(this.#dataDirectory).find({ root, issue }, repository);
  }

  /**
   * Uses a repository as it is.
   * @throws LocusError `bad-input` if the repository is not in the roots
   */
  async use<T>(
    repository: string | undefined,
    run: (asked: OnDemandRepository) => Promise<T>,
  ): Promise<T> {
    return this.#repositories.use(this.roots.find(repository), run);
  }
}

/** Answer of a tool: a value for programs, and a short text for a model. */
interface Answer {
  value: object;
  text: string;
}

interface Definition<In> {
  name: string;
  title: string;
  description: string;
  input: StandardSchemaWithJSON<unknown, In>;
  answer(args: In, call: ToolCall): Promise<Answer>;
}

export type RegisterTool = (server: McpServer, host: ToolHost) => void;

/** Defines a read-only tool. Every failure is reported as an error of the tool, which the model reads, not of the protocol. */
export function defineTool<In>(definition: Definition<In>): RegisterTool {
  const { name, title, description, input, answer } = definition;
  return (server, host) => {
    const annotations = { title, readOnlyHint: true, idempotentHint: true, openWorldHint: false };
    const config = { title, description, inputSchema: input, annotations };
    const handle = async (
      args: In,
      context: ServerContext,
    ): Promise<CallToolResult | InputRequiredResult> => {
      try {
        const roots = resolveRoots(server, host, context);
        if (roots === null) return REQUEST_ROOTS;
        const sampling = supportsSampling(server) ? context.mcpReq.requestSampling : null;
        const { value, text } = await answer(args, new ToolCall(host, roots, context, sampling));
        const structured = wantsStructured(context) && { structuredContent: { ...value } };
        return { content: [{ type: 'text', text }], ...structured };
      } catch (error) {
        logFailure(error);
        return failure(error);
      }
    };
    server.registerTool(name, config, handle);
  };
}

/**
 * Field of a call's `_meta`: true to get the answer also as `structuredContent`. Without it there is only text, because clients that
 * get both may show the longer one to their model.
 */
export const STRUCTURED_META_KEY = 'locus/structured';

const wantsStructured = ({ mcpReq }: ServerContext): boolean =>
  mcpReq._meta?.[STRUCTURED_META_KEY] === true;

const ROOTS = 'roots';
const REQUEST_ROOTS = inputRequired({ inputRequests: { [ROOTS]: inputRequired.listRoots() } });

/** Returns the roots of a call; null to ask the client first. It is asked at every call, because the roots may have changed. */
function resolveRoots(server: McpServer, host: ToolHost, context: ServerContext) {
  const { namedRoots, workingDirectory } = host;
  if (namedRoots) return namedRoots;
  if (supportsRoots(server, context)) {
    const view = inputResponse(context.mcpReq.inputResponses, ROOTS);
    if (view.kind !== 'roots') return null;
    if (view.roots.length > 0) return Roots.fromClient(view.roots.map(({ uri }) => uri));
  }
  return workingDirectory === null ? Roots.fromClient([]) : Roots.fromDirectory(workingDirectory);
}

/** Request metadata with the capabilities of the client, as sent since 2026. */
const envelope = z.object({ [CLIENT_CAPABILITIES_META_KEY]: z.object({ roots: z.object() }) });

function supportsRoots({ server }: McpServer, { mcpReq }: ServerContext): boolean {
  return (
    Boolean(server.getClientCapabilities()?.roots) || envelope.safeParse(mcpReq.envelope).success
  );
}

/** Returns true if the client lets servers ask its model. Revisions since 2026 have no such requests. */
const supportsSampling = ({ server }: McpServer): boolean =>
  Boolean(server.getClientCapabilities()?.sampling);

function failure(error: unknown): CallToolResult {
  const { message, remedy } = toFailure(error);
  const text = [`error: ${escapeHidden(message)}`, `→ ${escapeHidden(remedy)}`].join('\n');
  return { isError: true, content: [{ type: 'text', text }] };
}

export const repositoryArgument = z
  .string()
  .min(1)
  .max(4096)
  .optional()
  .describe('Name or path; needed if there are several, see repository_status');

export const nameArgument = chunkName.describe('path::name, path:line or a unique name');
