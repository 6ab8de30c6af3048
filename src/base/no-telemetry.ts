/*
 * Disables the telemetry of onnxruntime. On Linux and macOS, builds from 1.29 on write a device id and a database of events to the
 * user's cache (Microsoft/DeveloperTools/.onnxruntime) when the library is loaded, and upload them later. The only way to prevent this
 * is to set this variable before.
 *
 * The library reads the environment of the process, and worker threads have only a copy of it. The variable is therefore set in the
 * main thread: at the start of every entry point, before other threads may read the environment. All modules that load the library
 * import this one too, so that no entry point can forget it. A worker only checks that the variable is set.
 */
import { isMainThread } from 'node:worker_threads';

if (isMainThread) process.env.ORT_DISABLE_TELEMETRY = '1';
else if (process.env.ORT_DISABLE_TELEMETRY !== '1')
  throw new Error(
    'The telemetry of onnxruntime is enabled. The main thread must import no-telemetry.ts before it starts a worker.',
  );
