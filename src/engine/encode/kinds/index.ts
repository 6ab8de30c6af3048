import { bag } from './bag.ts';
import { sequence } from './sequence.ts';

/** Supported kinds of models, by the `kind` of their manifest. */
export const KINDS = Object.freeze({ bag, sequence });
