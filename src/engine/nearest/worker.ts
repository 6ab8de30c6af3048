/** The thread in which an index of embeddings is built, or checked: both take seconds. */
import { serveWorker, threadPort } from '../../base/worker-server.ts';
import { buildBase, isSound } from './build.ts';

const methods = { build: buildBase, check: isSound };

export type BaseMethods = typeof methods;

serveWorker(threadPort(), methods);
