/** A language model that Locus runs itself, from a file on this machine. */
import { throwIfCancelled } from '../../base/cancel.ts';
import { LocusError } from '../../shared/errors.ts';
import { findLanguageModel, type LanguageModelFile } from '../gguf/models.ts';
import { findRuntime } from '../gguf/runtime.ts';
import {
  type ChatMessage,
  countCharacters,
  EndpointFailure,
  explainTimeout,
  type LanguageModel,
  type LanguageModelOptions,
} from './client.ts';
import { openProcess } from './gguf-process.ts';

/** Maximum length of an answer. What the bounded schema allows before the order of the candidates always fits. */
const MAX_TOKENS = 2_000;

export interface GgufModelOptions extends LanguageModelOptions {
  dataDir: string;
  /** Tokens that the model reads at once, if it can. */
  context: number;
}

/** `local:` and the name of a model that `locus models add` has added. Nothing leaves the machine. */
export class GgufModel implements LanguageModel {
  readonly identity: string;
  readonly #options: GgufModelOptions;
  readonly #model: LanguageModelFile;

  /** @throws LocusError `bad-model` if there is no such model */
  constructor(options: GgufModelOptions) {
    const { dataDir, endpoint } = options;
    this.#options = options;
    this.#model = findLanguageModel(dataDir, endpoint.localModel ?? '');
    // Another model may get its name later.
    this.identity = `sha256:${this.#model.sha256}`;
  }

  /**
   * Runs the model, in a process that stays for further requests for a while.
   * @throws EndpointFailure if it is missing, cannot be run, or takes too long, with the part of the answer that was written
   * @throws LocusError `cancelled` if the signal aborts
   */
  async ask(
    messages: readonly ChatMessage[],
    schema: object,
    signal: AbortSignal,
  ): Promise<string> {
    const { endpoint, budget, timeoutMs, dataDir, context } = this.#options;
    budget.spend(countCharacters(messages));
    const timeout = AbortSignal.timeout(timeoutMs);
    let partial = '';
    const receive = (text: string) => {
      partial += text;
      budget.receive(partial.length);
    };
    try {
      const { library, useGpu } = findLibrary(dataDir);
      const { file, format } = this.#model;
      const running = await openProcess({ library, file, context, useGpu });
      const question = {
        system: join(messages, 'system'),
        prompt: join(messages, 'user'),
        schema: format === 'json' ? schema : null,
        maxTokens: MAX_TOKENS,
      };
      const either = AbortSignal.any([signal, timeout]);
      const { text, tokens } = await running.ask(question, either, receive);
      budget.addTokens(tokens);
      return text;
    } catch (error) {
      throwIfCancelled(signal, 'The check');
      const known = timeout.aborted ? explainTimeout(endpoint, timeoutMs) : error;
      if (!(known instanceof LocusError) && !(known instanceof EndpointFailure)) throw error;
      throw new EndpointFailure(known.message, known.remedy, { partial });
    }
  }
}

function findLibrary(dataDir: string) {
  if (process.versions.electron !== undefined)
    throw new EndpointFailure(
      'The desktop app cannot run a model itself.',
      'Use locus serve or locus search, or the server of a model.',
    );
  const runtime = findRuntime(dataDir);
  if (runtime) return runtime;
  throw new EndpointFailure(
    'The component that runs models is not installed.',
    'Run locus models add with --download.',
  );
}

const join = (messages: readonly ChatMessage[], role: ChatMessage['role']): string =>
  messages
    .filter((message) => message.role === role)
    .map(({ content }) => content)
    .join('\n\n');
