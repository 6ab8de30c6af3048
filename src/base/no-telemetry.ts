/*
 * Keeps onnxruntime from reporting to its vendor. On Linux and macOS, its builds from 1.29 on write an id of the
 * device and a database of events under the user's cache (Microsoft/DeveloperTools/.onnxruntime) when the library is
 * loaded, and later upload them; this variable, set before, is the only way to have none of it.
 *
 * The library reads the process's own environment, of which a worker thread has but a copy. So it is set in the main
 * thread: at the start of every entry, before there are other threads that may read the environment meanwhile, and
 * again by all that leads to the library, so that no entry can forget it. A worker only looks whether it was set.
 */
import { isMainThread } from 'node:worker_threads';

if (isMainThread) process.env.ORT_DISABLE_TELEMETRY = '1';
else if (process.env.ORT_DISABLE_TELEMETRY !== '1')
  throw new Error(
    'onnxruntime would report to its vendor: the main thread has to import no-telemetry.ts before a worker starts',
  );
