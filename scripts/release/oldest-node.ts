/** First Node version with Zstandard. The packages run on it and later ones. */
export const OLDEST = { major: 22, minor: 15 };
export const OLDEST_NODE = `${OLDEST.major}.${OLDEST.minor}`;
