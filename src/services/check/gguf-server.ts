/** Child process that runs one GGUF model for its parent: `gguf-server.ts <options as JSON>`. The model's file is not trusted. */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createMemoryError, isOutOfMemory } from '../../base/memory.ts';
import { createProcessPort, serveWorker, type WorkerCall } from '../../base/worker-server.ts';
import { badInput, LocusError } from '../../shared/errors.ts';
import { formatCount } from '../../shared/format-count.ts';
import { escapeHidden } from '../../shared/quote.ts';
import type { LlamaLibrary } from './gguf-library.ts';
import { boundSchema } from './gguf-schema.ts';

export interface GgufServerOptions {
  /** Folder of the library `node-llama-cpp`. */
  library: string;
  /** Path of the model. */
  file: string;
  /** Tokens to read at once. The model may have been trained for fewer. */
  context: number;
  /** True to use the GPU, if the component for it is there. */
  useGpu: boolean;
}

export interface GgufQuestion {
  system: string;
  prompt: string;
  /** JSON schema of the answer; null for free text. */
  schema: object | null;
  maxTokens: number;
}

export interface GgufAnswer {
  text: string;
  /** Number of tokens of the question and the answer. */
  tokens: number;
}

const SEED = 1;
/** Number of tokens of an answer below which asking is useless. */
const MIN_ANSWER = 32;
/** Number of tokens around the texts, such as the names of roles. */
const TEMPLATE = 64;

const options: GgufServerOptions = JSON.parse(process.argv[2] ?? '{}');
const opening = open();
// The call that waits for it gets the error.
opening.catch(() => {});

async function open() {
  const { library: folder, file, useGpu } = options;
  const path = pathToFileURL(join(folder, 'dist', 'index.js')).href;
  const library: LlamaLibrary = await import(path);
  const llama = await library.getLlama({
    build: 'never',
    gpu: useGpu ? 'auto' : false,
    skipDownload: true,
    progressLogs: false,
    maxThreads: availableParallelism(),
    logLevel: 'disabled',
  });
  // One core stays free: threads that wait for one that has none are slower than fewer threads.
  const threads = Math.max(1, Math.min(llama.cpuMathCores, availableParallelism() - 1));
  const model = await llama.loadModel({ modelPath: file });
  const contextSize = Math.min(options.context, model.trainContextSize);
  const context = await model.createContext({ contextSize, threads });
  return { library, llama, model, context };
}

/** Sends the answer while it is written. */
async function ask(
  { system, prompt, schema, maxTokens }: GgufQuestion,
  { send }: WorkerCall<string>,
): Promise<GgufAnswer> {
  const { library, llama, model, context } = await opening;
  const used = model.tokenize(system).length + model.tokenize(prompt).length + TEMPLATE;
  if (used + MIN_ANSWER > context.contextSize) throw createTooLongError(used, context.contextSize);
  const grammar = schema && (await llama.createGrammarForJsonSchema(boundSchema(schema)));
  const session = new library.LlamaChatSession({
    contextSequence: context.getSequence(),
    systemPrompt: system,
  });
  try {
    const text = await session.prompt(prompt, {
      ...(grammar && { grammar }),
      temperature: 0,
      seed: SEED,
      maxTokens: Math.min(maxTokens, context.contextSize - used),
      budgets: { thoughtTokens: 0 },
      onTextChunk: send,
    });
    return { text, tokens: used + model.tokenize(text).length };
  } finally {
    session.dispose({ disposeSequence: true });
  }
}

const createTooLongError = (used: number, most: number): LocusError =>
  badInput(
    `The request has ${formatCount(used)} tokens, and the model reads ${formatCount(most)} at once.`,
    'Lower the context in the settings of the check, or send fewer results.',
  );

/** Says in words what the library found wrong. Its messages may quote the model's file. */
function explain(error: unknown): unknown {
  if (error instanceof LocusError) return error;
  const failure = error as Error;
  if (failure.constructor.name === 'InsufficientMemoryError' || isOutOfMemory(error))
    return createMemoryError('to run the model', error);
  const [line = ''] = String(failure.message).split('\n');
  return new LocusError(
    'bad-model',
    `The model cannot be run: ${escapeHidden(line.slice(0, 200)).replace(/\.$/, '')}.`,
    'Check its file with locus models verify, or add another one.',
    { cause: error },
  );
}

const methods = { ask };
export type GgufMethods = typeof methods;

serveWorker(createProcessPort(), methods, { explain });
// The parent handles interrupts for both.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
// A thread that computes would block an orderly exit.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
