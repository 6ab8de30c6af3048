import { join } from 'node:path';

/** Folder in the data directory for language models and the component that runs them. */
const GGUF_FOLDER = 'gguf';

export const getGgufFolder = (dataDir: string): string => join(dataDir, GGUF_FOLDER);
