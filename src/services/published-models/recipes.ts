/**
 * Manifests of published models. Each follows the code or the model card of its authors, see docs/reference/published-models.md.
 * Only what Locus has to choose differs: the text of a function, the task in an instruction, and the limits of tokens.
 */

/** Facts that a recipe takes from the model's own files. */
export interface ExportedModel {
  /** Content of `config.json`. */
  config: Readonly<Record<string, unknown>>;
  /** Pooling in `1_Pooling/config.json`; null without one. */
  pooling: 'mean' | 'first' | 'last' | null;
  /** Outputs of the ONNX file. */
  outputs: readonly { name: string; dims: readonly (number | null)[] }[];
}

export interface Recipe {
  /** Name of the model, by which `--recipe` chooses it. */
  name: string;
  license: string;
  /** Page of the publisher. */
  page: string;
  /** Values of `model_type` in `config.json`. */
  architectures: readonly string[];
  /** Returns the keys of the manifest that depend on the model. @throws Error if the files are of another model */
  describe(model: ExportedModel): Record<string, unknown>;
}

const CHUNK = '{path}\n{code}';
/** Names of outputs with a vector for each token, and with one for each text. */
const TOKEN_OUTPUTS = ['last_hidden_state', 'token_embeddings'];
const TEXT_OUTPUTS = ['sentence_embedding'];

const ISSUE_TASK =
  'Given an issue of a software project, retrieve the functions to edit to resolve it';

export const RECIPES: readonly Recipe[] = [
  {
    name: 'CodeRankEmbed',
    license: 'MIT',
    page: 'https://huggingface.co/nomic-ai/CodeRankEmbed',
    architectures: ['nomic_bert'],
    describe: describeEncoder('first', {
      chunk: CHUNK,
      issue: 'Represent this query for searching relevant code: {issue}',
    }),
  },
  {
    name: 'SweRankEmbed-Small',
    license: 'CC-BY-NC-4.0',
    page: 'https://huggingface.co/Salesforce/SweRankEmbed-Small',
    architectures: ['nomic_bert'],
    describe: describeEncoder('first', {
      chunk: CHUNK,
      issue: 'Represent this query for searching relevant code: {issue}',
    }),
  },
  {
    name: 'Qwen3-Embedding-0.6B',
    license: 'Apache-2.0',
    page: 'https://huggingface.co/Qwen/Qwen3-Embedding-0.6B',
    architectures: ['qwen3'],
    describe: describeEncoder('last', {
      chunk: CHUNK,
      // Without a space after the colon, as in its model card.
      issue: `Instruct: ${ISSUE_TASK}\nQuery:{issue}`,
    }),
  },
  {
    name: 'jina-code-embeddings-0.5b',
    license: 'CC-BY-NC-4.0',
    page: 'https://huggingface.co/jinaai/jina-code-embeddings-0.5b',
    architectures: ['qwen2'],
    describe: describeEncoder('last', {
      chunk: `Candidate code snippet:\n${CHUNK}`,
      issue: 'Find the most relevant code snippet given the following query:\n{issue}',
    }),
  },
  {
    name: 'Qwen3-Reranker-0.6B',
    license: 'Apache-2.0',
    page: 'https://huggingface.co/Qwen/Qwen3-Reranker-0.6B',
    architectures: ['qwen3'],
    describe: ({ config, outputs }) => ({
      kind: 'pair',
      role: 'rerank',
      output: findOutput(outputs, ['logits']).name,
      // Its prompt has all special tokens.
      tokenizer: { addSpecial: false },
      prompt: [
        '<|im_start|>system\nJudge whether the Document meets the requirements based on the Query and the Instruct provided. Note that the answer can only be "yes" or "no".<|im_end|>\n',
        `<|im_start|>user\n<Instruct>: ${ISSUE_TASK}\n<Query>: {issue}\n<Document>: ${CHUNK}<|im_end|>\n`,
        '<|im_start|>assistant\n<think>\n\n</think>\n\n',
      ].join(''),
      score: isClassifier(config) ? 'logit' : { yes: 'yes', no: 'no' },
      maxTokens: 1_024,
      maxQueryTokens: 512,
    }),
  },
];

/** Returns what describes an encoder whose authors pool in this way. */
function describeEncoder(pooling: 'first' | 'last', templates: { chunk: string; issue: string }) {
  return (model: ExportedModel): Record<string, unknown> => {
    const { outputs, config } = model;
    if (model.pooling !== null && model.pooling !== pooling)
      throw new Error(
        `1_Pooling/config.json says that it pools by ${model.pooling} instead of ${pooling}`,
      );
    const output = findOutput(outputs, [...TOKEN_OUTPUTS, ...TEXT_OUTPUTS]);
    return {
      kind: 'text',
      role: 'encode',
      dimensions: output.dims.at(-1) ?? config.hidden_size ?? config.n_embd,
      output: output.name,
      pooling: TEXT_OUTPUTS.includes(output.name) ? 'none' : pooling,
      templates,
      maxTokens: 1_024,
      maxQueryTokens: 1_024,
    };
  };
}

function isClassifier({ architectures }: ExportedModel['config']): boolean {
  return (
    Array.isArray(architectures) &&
    architectures.some((name) => String(name).endsWith('ForSequenceClassification'))
  );
}

function findOutput(outputs: ExportedModel['outputs'], names: readonly string[]) {
  const found = names.flatMap((name) => outputs.filter((output) => output.name === name)).at(0);
  if (found) return found;
  const given = outputs.map(({ name }) => name.slice(0, 100)).join(', ') || 'none';
  throw new Error(`its ONNX file has the outputs ${given} instead of ${names.join(' or ')}`);
}
