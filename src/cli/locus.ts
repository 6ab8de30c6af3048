#!/usr/bin/env node
/** Entry of the `locus` command. It enables the compile cache before it imports `main.ts`. */
import '../base/no-telemetry.ts';
import { cacheCompiledCode } from './compile-cache.ts';

cacheCompiledCode(process);
await import('./main.ts');
