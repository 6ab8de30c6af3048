/** Language models that Locus runs itself, see `services/gguf`. */

/** Formats of a request and its answer: JSON, or a list of identifiers, for passages and for functions. */
export const MODEL_FORMATS = ['json', 'rank-gpt', 'swe-rank'] as const;
export type ModelFormat = (typeof MODEL_FORMATS)[number];

/** Graphics interfaces whose machine code is fetched only when asked for. On a Mac with Apple's processor, Metal is always there. */
export const GPUS = ['cuda', 'vulkan'] as const;
export type Gpu = (typeof GPUS)[number];

/** Name of the component that runs the models, for `locus models add` and `remove`. */
export const RUNTIME = 'runtime';

/** Returns true for a name that a model can have. It is also the name of a folder. */
export const isLocalModelName = (name: string): boolean =>
  /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,99}$/u.test(name) && !name.endsWith('.') && name !== RUNTIME;
