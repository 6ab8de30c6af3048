/** Defaults of the task `mine`. */
export const DEFAULTS = {
  revision: 'HEAD',
  minMessage: 25,
  maxFiles: 5,
  maxChunks: 8,
  requireTests: false,
  issues: null,
  limit: null,
  topK: null,
  negatives: 0,
} as const;
