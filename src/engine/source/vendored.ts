/**
 * Files that were copied from other projects, by their paths. A rule is one only where the name is never that of a
 * project's own folder: an app that sells has a package `vendor`, Django has `contrib`, IPython `external`. What a name
 * means in one language alone is in that language's folder.
 */
import { languageOf } from '../languages/index.ts';

/**
 * Folders of any language. Package managers install into `node_modules`, `bower_components` and `jspm_packages`; Yarn
 * commits itself and its cache to `.yarn`; `third_party` and its spellings say what they are; `_vendor` and `vendored`
 * are names that Python's packages (pip, setuptools, botocore) have for it; type checkers bring copies of `typeshed`.
 */
const FOLDERS =
  /\/(?:node_modules|bower_components|jspm_packages|\.yarn|(?:third|3rd)[-_]?party|_vendor|_?vendored|typeshed(?:-fallback)?)\//;

/** Single files that are handed on to be copied, below the top: at the top they are their own project's source. */
const FILES = /^\/[^/]+\/(?:[^/]+\/)*(?:cpplint|ez_setup|versioneer)\.py$/;

/** Where in a path (or in the slash before it) begins what says that the file was copied, or -1. Pure. */
export function vendoredAt(path: string): number {
  const rooted = `/${path.toLowerCase()}`;
  const own = languageOf(path)?.files.vendored;
  const places = [FOLDERS, own].flatMap((pattern) => pattern?.exec(rooted)?.index ?? []);
  if (places.length > 0) return Math.min(...places);
  return FILES.test(rooted) ? path.lastIndexOf('/') + 1 : -1;
}
