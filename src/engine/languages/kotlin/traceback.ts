import { writeJvmTraceback } from '../jvm/traceback.ts';
import type { Language } from '../language.ts';
import { getModule } from './issue.ts';

export const traceback: Language['traceback'] = {
  raise: /^\s*throw\s+([\w.]+)/,
  statement: /^\s*[\w({[]/,
  // Functions outside classes are in a class named after the file.
  write: (frames, error) => writeJvmTraceback(frames, error, (path) => `${getModule(path)}Kt`),
};
