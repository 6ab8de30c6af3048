import type { Endpoint } from '../../shared/check-endpoint.ts';
import { findLanguageModel } from '../gguf/models.ts';
import { buildListwisePrompt, FUNCTIONS, PASSAGES } from './listwise.ts';
import { buildPrompt, type PromptBuilder } from './prompt.ts';

/**
 * Chooses the format of requests that a model was trained for.
 * @throws LocusError `bad-model` if it is a model of this machine that was not added
 */
export function chooseBuilder({ localModel }: Endpoint, dataDir: string): PromptBuilder {
  if (localModel === undefined) return buildPrompt;
  const { format, template } = findLanguageModel(dataDir, localModel);
  if (format === 'json') return buildPrompt;
  const keepsLines = format === 'swe-rank';
  const form = { template: template ?? (keepsLines ? FUNCTIONS : PASSAGES), keepsLines };
  return (issue, candidates) => buildListwisePrompt(form, issue, candidates);
}
