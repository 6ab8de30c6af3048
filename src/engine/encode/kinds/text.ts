/** Plain-text encoders: transformers that embed any text, such as published models for code search. */
import type { EncoderPart } from '../../../shared/detail.ts';
import { badModel, type ModelFiles } from '../model-files.ts';
import type { ModelKind } from '../model-kind.ts';
import type { EncoderDocument, EncoderRow, InputMaker } from '../types.ts';
import { makeTextTensors, pool } from './pooling.ts';
import { fillTemplate } from './prompt.ts';
import { loadPromptTokenizer } from './prompt-tokenizer.ts';
import type { TextManifest } from './published-manifest.ts';

export const text: ModelKind<TextManifest> = {
  createInputs,
  benefitsFromGpu: true,
  threads: 0,
  batchTokens: 2_048,
  skipsUnknownInputs: true,
  tensors: makeTextTensors,
  readOutput: ({ pooling }, output, rows, dimensions) => pool(output, rows, pooling, dimensions),
};

async function createInputs(files: ModelFiles, model: TextManifest): Promise<InputMaker> {
  const { tokenizer: of, templates, maxTokens, maxQueryTokens } = model;
  const tokenizer = await loadPromptTokenizer(files, of.file);
  const { before, after } = of.addSpecial ? tokenizer.getFrame() : { before: [], after: [] };
  const own = before.length + after.length;
  if (own >= Math.min(maxTokens, maxQueryTokens))
    throw badModel(`${files.path(of.file)} adds ${own} tokens to a text, which are more than fit.`);

  function makeRow(template: string, values: Record<string, string>, limit: number): EncoderRow {
    const ids = tokenizer.encode(fillTemplate(template, values), limit - own);
    return toRow([...before, ...ids, ...after]);
  }

  return {
    buildDocument: ({ path, text }) => makeRow(templates.chunk, { path, code: text }, maxTokens),
    buildQuery: ({ text }) => makeRow(templates.issue, { issue: text }, maxQueryTokens),
    explain: ({ path, text }: EncoderDocument): EncoderPart[] => {
      const tokens = tokenizer.readText(path, maxTokens).length;
      const used =
        own + tokenizer.encode(fillTemplate(templates.chunk, { path, code: '' }), maxTokens).length;
      const left = Math.max(0, maxTokens - used);
      const given = tokenizer.cutText(text, left);
      const cutText = text.slice(given.length);
      return [
        { role: 'path', text: path, tokens, cut: 0, cutText: '' },
        {
          role: 'body',
          text: given,
          tokens: tokenizer.readText(given, left).length,
          cut: tokenizer.readText(cutText, cutText.length).length,
          cutText,
        },
      ];
    },
  };
}

const toRow = (ids: readonly number[]): EncoderRow => ({
  inputIds: Int32Array.from(ids),
  tokenTypeIds: new Int32Array(ids.length),
  tokenWeights: null,
});
