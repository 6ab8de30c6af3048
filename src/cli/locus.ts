#!/usr/bin/env node
/** Entry of the `locus` command. It enables the compile cache before it imports `main.ts`. */
import '../base/no-telemetry.ts';
import { keepCompiled } from './compiled.ts';

keepCompiled(process);
await import('./main.ts');
