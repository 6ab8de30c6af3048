/** Thread that builds or checks an index of embeddings: both take seconds. */
import { serveWorker, threadPort } from '../../base/worker-server.ts';
import { buildBase, isSound } from './build.ts';

const methods = { build: buildBase, check: isSound };

export type BaseMethods = typeof methods;

serveWorker(threadPort(), methods);
