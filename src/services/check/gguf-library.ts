/** The parts of `node-llama-cpp` that Locus uses. The library is no dependency: it is fetched on request, see `services/gguf`. */

export interface LlamaLibrary {
  getLlama(options: {
    build: 'never';
    gpu: 'auto' | false;
    skipDownload: true;
    progressLogs: false;
    maxThreads: number;
    logLevel: string;
  }): Promise<Llama>;
  LlamaChatSession: new (options: {
    contextSequence: LlamaSequence;
    systemPrompt: string;
  }) => LlamaSession;
}

interface Llama {
  /** Number of cores that are good at arithmetic. */
  cpuMathCores: number;
  loadModel(options: { modelPath: string }): Promise<LlamaModel>;
  createGrammarForJsonSchema(schema: object): Promise<object>;
}

interface LlamaModel {
  /** Number of tokens that it was trained to read at once. */
  trainContextSize: number;
  tokenize(text: string): number[];
  createContext(options: { contextSize: number; threads: number }): Promise<LlamaContext>;
}

interface LlamaContext {
  contextSize: number;
  getSequence(): LlamaSequence;
}

type LlamaSequence = object;

interface LlamaSession {
  prompt(
    text: string,
    options: {
      grammar?: object;
      temperature: 0;
      seed: number;
      maxTokens: number;
      budgets: { thoughtTokens: 0 };
      onTextChunk(text: string): void;
    },
  ): Promise<string>;
  dispose(options: { disposeSequence: true }): void;
}
