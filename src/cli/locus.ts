#!/usr/bin/env node
/** `locus`: the command line's entry. What it does is `main.ts`, loaded once Node knows where it keeps what it compiles. */
import '../base/no-telemetry.ts';
import { keepCompiled } from './compiled.ts';

keepCompiled(process);
await import('./main.ts');
