import { bm25, message, quoted, related, title, wordsInDocstring } from './bm25.ts';
import { called } from './calls.ts';
import { fileCoverage, folderCoverage } from './coverage.ts';
import { dense, denseProse } from './dense.ts';
import { file } from './file.ts';
import { frame } from './frame.ts';
import { HISTORY_SIGNALS } from './history.ts';
import { class_, module_ } from './kind.ts';
import { length } from './length.ts';
import { MARK_SIGNALS } from './marks.ts';
import { nameCoverage } from './name-coverage.ts';
import { commonName, private_, special } from './name-form.ts';
import { className, inherited, initializer, name } from './names.ts';
import { baseName, path } from './paths.ts';
import { repro, reproCalls } from './repro.ts';
import { role } from './role.ts';
import type { Signal } from './signal.ts';
import { testFile } from './test-file.ts';

/** All columns of the ranking, in the order in which evidence lists them. */
export const SIGNALS: readonly Signal[] = [
  dense,
  denseProse,
  bm25,
  title,
  message,
  quoted,
  related,
  wordsInDocstring,
  file,
  path,
  baseName,
  fileCoverage,
  folderCoverage,
  testFile,
  name,
  nameCoverage,
  className,
  inherited,
  initializer,
  frame,
  repro,
  reproCalls,
  called,
  length,
  class_,
  module_,
  private_,
  special,
  commonName,
  role,
  ...HISTORY_SIGNALS,
  ...MARK_SIGNALS,
];
