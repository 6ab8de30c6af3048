import { jvmTraceback } from '../jvm/traceback.ts';
import type { Language } from '../language.ts';
import { moduleOf } from './issue.ts';

export const traceback: Language['traceback'] = {
  raise: /^\s*throw\s+([\w.]+)/,
  statement: /^\s*[\w({[]/,
  // Functions outside classes are in a class named after the file.
  write: (frames, error) => jvmTraceback(frames, error, (path) => `${moduleOf(path)}Kt`),
};
