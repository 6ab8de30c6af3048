/**
 * Stops zod from compiling schemas to code. Compilation takes longer than it saves for the few values checked at startup. The
 * page's policy forbids code from strings, and Firefox reports even the attempt. Import this before any module with schemas.
 */
import { config } from 'zod';

config({ jitless: true });
