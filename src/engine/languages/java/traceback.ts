import { writeJvmTraceback } from '../jvm/traceback.ts';
import type { Language } from '../language.ts';
import { getModule } from './issue.ts';

export const traceback: Language['traceback'] = {
  raise: /^\s*throw\s+new\s+([\w.]+)/,
  statement: /^\s*[\w({[]/,
  write: (frames, error) => writeJvmTraceback(frames, error, getModule),
};
