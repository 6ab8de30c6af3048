/** Rerankers that score an issue and a chunk together: cross-encoders, and decoders that answer yes or no. */
import type { EncoderQuery } from '../../issue/queries.ts';
import { badModel, type ModelFiles } from '../model-files.ts';
import type { ModelKind, ModelOutput } from '../model-kind.ts';
import type { EncoderDocument, EncoderRow, InputMaker } from '../types.ts';
import { makeTextTensors } from './pooling.ts';
import { fillTemplate } from './prompt.ts';
import { loadPromptTokenizer, type PromptTokenizer } from './prompt-tokenizer.ts';
import type { PairManifest } from './published-manifest.ts';

export const pair: ModelKind<PairManifest> = {
  createInputs,
  benefitsFromGpu: true,
  threads: 0,
  // Exports that return the logits of the last token return those of the padding, so pairs of different lengths run one by one.
  batchTokens: 1,
  skipsUnknownInputs: true,
  isScore: true,
  tensors: makeTextTensors,
  readOutput: ({ score }, output, rows) =>
    Float32Array.from(rows, (row) => readScore(score, output, row)),
};

/** Makes a pair's tokens from the text of an issue, which is cut, and a chunk. */
type PairMaker = (issue: string, document: EncoderDocument) => EncoderRow;

async function createInputs(files: ModelFiles, model: PairManifest): Promise<InputMaker> {
  const { tokenizer: of, maxQueryTokens, maxTokens, score } = model;
  const tokenizer = await loadPromptTokenizer(files, of.file);
  if (maxQueryTokens >= maxTokens)
    throw badModel(`The model in ${files.path('')} leaves no tokens for code.`);
  const answers =
    score === 'logit' ? null : [tokenizer.getToken(score.yes), tokenizer.getToken(score.no)];
  const make = model.prompt
    ? makePrompts(model, model.prompt, tokenizer)
    : makePairs(model, tokenizer);
  let last = { text: '', cut: '' };

  function buildPair({ text }: Pick<EncoderQuery, 'text'>, document: EncoderDocument): EncoderRow {
    if (last.text !== text) last = { text, cut: tokenizer.cutText(text, maxQueryTokens) };
    const row = make(last.cut, document);
    return answers ? { ...row, answers } : row;
  }

  const refuse = (): never => {
    throw badModel(`The model in ${files.path('')} scores pairs. It cannot embed a text.`);
  };
  return {
    buildPair,
    buildDocument: (document) => buildPair({ text: '' }, document),
    buildQuery: refuse,
    explain: refuse,
  };
}

function makePrompts(
  { maxTokens, tokenizer: { addSpecial } }: PairManifest,
  prompt: string,
  tokenizer: PromptTokenizer,
): PairMaker {
  const { before, after } = addSpecial ? tokenizer.getFrame() : { before: [], after: [] };
  const limit = maxTokens - before.length - after.length;
  return (issue, { path, text }) => {
    const parts = fillTemplate(prompt, { issue, path, code: text });
    return toRow([
      [before, 0],
      [tokenizer.encode(parts, limit), 0],
      [after, 0],
    ]);
  };
}

function makePairs({ maxTokens, templates }: PairManifest, tokenizer: PromptTokenizer): PairMaker {
  const { before, between, after, types } = tokenizer.getPairFrame();
  const own = before.length + between.length + after.length;
  return (issue, { path, text }) => {
    const first = tokenizer.encode(fillTemplate(templates.issue, { issue }), maxTokens - own);
    const left = Math.max(0, maxTokens - own - first.length);
    const second = tokenizer.encode(fillTemplate(templates.chunk, { path, code: text }), left);
    const parts = [before, first, between, second, after];
    return toRow(parts.map((ids, i) => [ids, types[i] ?? 0]));
  };
}

function toRow(parts: readonly (readonly [ids: readonly number[], type: number])[]): EncoderRow {
  return {
    inputIds: Int32Array.from(parts.flatMap(([ids]) => ids)),
    tokenTypeIds: Int32Array.from(parts.flatMap(([ids, type]) => ids.map(() => type))),
    tokenWeights: null,
  };
}

/** Returns the score of the only row of an output. @throws Error if the shape of the output does not fit */
function readScore(
  score: PairManifest['score'],
  { data, dims }: ModelOutput,
  { inputIds, answers }: EncoderRow,
): number {
  const wrong = (expected: string) =>
    new Error(`its output has the shape ${dims.join(' × ')} instead of ${expected}`);
  if (score === 'logit') {
    const [logit, ...others] = data;
    if (logit === undefined || others.length > 0) throw wrong('1 × 1');
    return logit;
  }
  const [yes = 0, no = 0] = answers ?? [];
  const words = dims.at(-1) ?? 0;
  const tokens = data.length / words;
  if (tokens !== 1 && tokens !== inputIds.length) throw wrong(`1 × ${inputIds.length} × words`);
  if (Math.max(yes, no) >= words) throw wrong(`a logit for each word, such as ${yes} and ${no}`);
  const at = data.length - words;
  return (data[at + yes] ?? Number.NaN) - (data[at + no] ?? Number.NaN);
}
