import { baseName } from './base-name.ts';
import { bm25 } from './bm25.ts';
import { called } from './called.ts';
import { churn } from './churn.ts';
import { churnFile } from './churn-file.ts';
import { class_ } from './class.ts';
import { className } from './class-name.ts';
import { cochange } from './cochange.ts';
import { commonName } from './common-name.ts';
import { dense } from './dense.ts';
import { denseProse } from './dense-prose.ts';
import { file } from './file.ts';
import { fileCoverage } from './file-coverage.ts';
import { folderCoverage } from './folder-coverage.ts';
import { frame } from './frame.ts';
import { historyChunk } from './history-chunk.ts';
import { historyFile } from './history-file.ts';
import { inherited } from './inherited.ts';
import { initializer } from './initializer.ts';
import { length } from './length.ts';
import { likeMarked } from './like-marked.ts';
import { likeRejected } from './like-rejected.ts';
import { lines } from './lines.ts';
import { markedCalls } from './marked-calls.ts';
import { markedClass } from './marked-class.ts';
import { markedFile } from './marked-file.ts';
import { markedWords } from './marked-words.ts';
import { message } from './message.ts';
import { module_ } from './module.ts';
import { name } from './name.ts';
import { nameCoverage } from './name-coverage.ts';
import { path } from './path.ts';
import { private_ } from './private.ts';
import { quoted } from './quoted.ts';
import { related } from './related.ts';
import { repro } from './repro.ts';
import { reproCalls } from './repro-calls.ts';
import { role } from './role.ts';
import type { Signal } from './signal.ts';
import { special } from './special.ts';
import { testFile } from './test-file.ts';
import { title } from './title.ts';
import { wordsInDocstring } from './words-in-docstring.ts';

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
  lines,
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
  historyChunk,
  historyFile,
  churn,
  churnFile,
  cochange,
  likeMarked,
  markedWords,
  markedClass,
  markedFile,
  markedCalls,
  likeRejected,
];

/** Those that a person's marks give values to. */
export const MARK_SIGNALS = SIGNALS.filter(({ family }) => family === 'marks');
