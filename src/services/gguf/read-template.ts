/** Reads the texts of requests from a template of rank_llm. */
import { parse } from 'yaml';
import { z } from 'zod';
import { badInput } from '../../shared/errors.ts';
import { type ListwiseTemplate, templateText as text } from './template.ts';

const authorsTemplate = z
  .object({
    method: z.literal('singleturn_listwise'),
    system_message: text.default(''),
    prefix: text.default(''),
    body: text.includes('{rank}').includes('{candidate}'),
    suffix: text.default(''),
  })
  .transform(({ system_message: system, prefix, body, suffix }) => {
    return { system, prefix, body, suffix };
  });

/**
 * Reads a template of rank_llm: YAML with `method: singleturn_listwise`, `system_message`, `prefix`, `body` and `suffix`.
 * @throws LocusError `bad-input` for anything else
 */
export function readTemplate(yaml: string, path: string): ListwiseTemplate {
  let content: unknown = null;
  try {
    content = parse(yaml, { maxAliasCount: 0 });
  } catch {
    // Reported below, like other content.
  }
  const parsed = authorsTemplate.safeParse(content);
  if (parsed.success) return parsed.data;
  throw badInput(
    `${path} is not a template of rank_llm for one request.`,
    'Use YAML with the method singleturn_listwise, and a body with {rank} and {candidate}.',
  );
}
