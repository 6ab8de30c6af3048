import { z } from 'zod';

// The kinds of values in a model manifest.

export const count = z.int().min(1);

/** A token id or a token type. */
export const typeId = z.int().min(0);

/** A file of the model's own folder, never one outside it. */
export const fileName = z.string().regex(/^\w[\w.-]*$/, 'must be a plain file name');

export const fraction = z.number().min(0).max(1);
