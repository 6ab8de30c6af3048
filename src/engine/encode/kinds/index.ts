import type { ModelKind } from '../model-kind.ts';
import { bag } from './bag.ts';
import { sequence } from './sequence.ts';

/** Kinds of Locus's own models, by the `kind` of their manifest. */
export const KINDS = Object.freeze({ bag, sequence });

/** Returns a kind of model. Those of published models are loaded only when they are used. */
export async function loadKind(name: keyof typeof KINDS | 'text' | 'pair'): Promise<ModelKind> {
  if (name === 'text') return (await import('./text.ts')).text;
  if (name === 'pair') return (await import('./pair.ts')).pair;
  return KINDS[name];
}
