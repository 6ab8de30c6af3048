/**
 * Imported for its effect: all processes started from here share one compile cache of Node. The tests start hundreds of processes
 * with a hundred modules each, and compiling would be half of their time.
 */
import { join } from 'node:path';

process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../node_modules/.cache/compiled');
