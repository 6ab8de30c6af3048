import { fileURLToPath } from 'node:url';

/** Folder of the models that come with Locus. The npm package has them in a package of their own: `scripts/npm/stage.ts` replaces this file. */
export const MODELS_FOLDER = fileURLToPath(new URL('../../models', import.meta.url));
