/**
 * Schemas check as they are: compiled to code first, as zod does on its own, the few values that a start checks take longer. In the
 * page, whose policy forbids code from strings, Firefox notes even the try to compile as an offence. To be imported before what has schemas.
 */
import { config } from 'zod';

config({ jitless: true });
