/** Adds Quill to a program. Loaded before it (`node --import`), in each of its threads. */
import { addLanguage } from '../../../src/engine/languages/index.ts';
import { quill } from './index.ts';

addLanguage(quill);
