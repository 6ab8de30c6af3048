import { bm25, title } from './bm25.ts';
import { called } from './calls.ts';
import { dense } from './dense.ts';
import { file } from './file.ts';
import { frame } from './frame.ts';
import { class_, module_ } from './kind.ts';
import { length } from './length.ts';
import { MARK_SIGNALS } from './marks.ts';
import { className, name } from './names.ts';
import { baseName, path } from './paths.ts';
import { role } from './role.ts';
import type { Signal } from './signal.ts';

/** All columns of the ranking, in the order in which evidence lists them. */
export const SIGNALS: readonly Signal[] = [
  dense,
  bm25,
  title,
  file,
  path,
  baseName,
  name,
  className,
  frame,
  called,
  length,
  class_,
  module_,
  role,
  ...MARK_SIGNALS,
];
