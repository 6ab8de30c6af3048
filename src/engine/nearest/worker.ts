/** Thread that builds or checks an index of embeddings: both take seconds. */
import { createThreadPort, serveWorker } from '../../base/worker-server.ts';
import { buildBase, isIndexSound } from './build.ts';

const methods = { build: buildBase, check: isIndexSound };

export type BaseMethods = typeof methods;

serveWorker(createThreadPort(), methods);
