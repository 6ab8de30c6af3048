/* The thread in which an index of embeddings is built, or checked: both take seconds. It ends with its work. */
import { parentPort, workerData } from 'node:worker_threads';
import { present } from '../../shared/present.ts';
import { type BaseJob, buildBase, isSound } from './build.ts';

/** What is to be done. */
export interface BaseTask extends BaseJob {
  what: 'build' | 'check';
}

const { what, ...job } = workerData as BaseTask;
const done = what === 'build' ? await buildBase(job) : isSound(job);
present(parentPort, 'the port of a worker thread').postMessage(done);
