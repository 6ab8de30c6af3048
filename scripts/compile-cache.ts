/**
 * Imported for its effect: processes that are started from here share what Node compiles of the sources. The tests start
 * some hundreds, each of some hundred modules, which is half of the time that each takes.
 */
import { join } from 'node:path';

process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../node_modules/.cache/compiled');
