import { bag } from './bag.ts';
import { sequence } from './sequence.ts';

/** How to make inputs for each `kind` of model that a manifest can name. */
export const KINDS = Object.freeze({ bag, sequence });
