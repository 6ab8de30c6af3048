/**
 * The page's policy forbids code from strings. Schemas try it when they are made unless they are told before, and
 * Firefox notes each try as an offence: this is imported before whatever makes one.
 */
import { config } from 'zod';

config({ jitless: true });
