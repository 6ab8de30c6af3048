import type { ModelKind } from '../kind.ts';
import type { Manifest } from '../manifest.ts';
import type { InputMaker } from '../types.ts';
import { bag } from './bag.ts';
import { sequence } from './sequence.ts';

/** How to make inputs for each `kind` of model that a manifest can name. */
export const KINDS = Object.freeze({ bag, sequence });

/** The input maker of a model in `folder`. */
export function createInputs(folder: string, manifest: Manifest): Promise<InputMaker> {
  const kind: ModelKind = KINDS[manifest.kind];
  return kind.createInputs(folder, manifest);
}
