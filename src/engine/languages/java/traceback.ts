import { jvmTraceback } from '../jvm/traceback.ts';
import type { Language } from '../language.ts';
import { moduleOf } from './issue.ts';

export const traceback: Language['traceback'] = {
  raise: /^\s*throw\s+new\s+([\w.]+)/,
  statement: /^\s*[\w({[]/,
  write: (frames, error) => jvmTraceback(frames, error, moduleOf),
};
