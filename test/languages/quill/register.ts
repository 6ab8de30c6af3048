/** Loaded before a program (`node --import`), in each of its threads: it then reads Quill. */
import { addLanguage } from '../../../src/engine/languages/index.ts';
import { quill } from './index.ts';

addLanguage(quill);
