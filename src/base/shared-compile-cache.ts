/** Node's cache of compiled code, shared by the threads and processes of Locus. */
import { enableCompileCache, getCompileCacheDir } from 'node:module';
import type { Environment } from './environment.ts';

/** Node reads it in each thread and process that it starts. There is no other way to enable the cache in a worker thread. */
const VARIABLE = 'NODE_COMPILE_CACHE';

/** Enables the cache in a folder, for this process and what it starts. It keeps a cache that is already enabled. */
export function shareCompileCache(folder: string): void {
  if (getCompileCacheDir() !== undefined) return;
  enableCompileCache(folder);
  if (getCompileCacheDir() !== undefined) process.env[VARIABLE] = folder;
}

/** Returns the environment for programs of the user. An editor would pass the cache on to every program that runs in it. */
export function withoutCompileCache({ [VARIABLE]: _, ...env }: Environment): Environment {
  return env;
}
