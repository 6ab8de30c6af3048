/** Selects the files that are split: those that people write and configure, and no data. */
import { isMinified } from '../../base/minified.ts';
import type { SectionForm } from './form.ts';

/** Maximum size of a file, of JSON, and of texts in other languages, in UTF-16 units. */
const MAX_LENGTH = 512 * 1024;
const MAX_JSON_LENGTH = 64 * 1024;
const MAX_CATALOG_LENGTH = 16 * 1024;
const JSON_NAME = /\.json$/i;

/** Files that package managers write, besides those that end with `.lock`. */
const LOCK_FILES =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|packages\.lock\.json|project\.assets\.json|conda-lock\.ya?ml|package\.resolved|[^/]*\.deps\.json|[^/]*[.-]lock(?:\.(?:json|ya?ml|toml))?)$/i;

/** Bundles, source maps, other generated files, and copies of documentation for old versions, by their path. */
const GENERATED =
  /\.min\.(?:css|json)$|\.map$|\.generated\.[a-z]+$|(?:^|\/)(?:node_modules|bower_components|jspm_packages|dist|\.yarn|__generated__|_?generated|\w*versioned_docs)\//i;

/** Data that tests read or compare, in any folder. */
const FIXTURES =
  /(?:^|\/)(?:__)?(?:fixtures?|snapshots?|cassettes|golden|test[-_]?data|test[-_]?(?:files|resources)|recordings)(?:__)?\//i;
/** Folders of tests, as in `source/role.ts`, and the files in them that are no data: manifests, settings and documentation. */
const TESTS =
  /(?:^|\/)(?:(?:__)?tests(?:__)?|tests?[-_][^/]*|[^/]*[-_]tests)\/|^(?:test|testing|src\/test)\//i;
const SETTINGS_OF_TESTS =
  /(?:^|\/)(?:readme[^/]*|contributing[^/]*|\.[^/]+|[^/]*requirements[^/]*|requirements\/[^/]*|package\.json|[jt]sconfig[^/]*\.json|[^/]*(?:config|settings|compose)[^/]*|(?:pyproject|ruff|cargo)\.toml|(?:pytest|tox)\.ini|setup\.cfg|[^/]*\.(?:props|targets|csproj|css|scss|sass|less))$/i;

/** Texts in several languages, by their folder or name. */
const CATALOGS =
  /(?:^|\/)(?:_?locales?|lang|langs|languages|i18n|l10n|translations?|values-[a-z]{2}[^/]*)\/|_[a-z]{2}(?:_[a-z]{2})?\.properties$|\.[a-z]{2}(?:-[a-z]{2,4})?\.resx$/i;

/** Phrases in the comments at the top of a file that a tool writes. */
const NOTICE =
  /^\s{0,8}(?:#|\/\/|\/?\*|<!--|;|--).{0,80}(?:@generated\b|\bauto-?generated (?:by|from|with|file)\b|\bautomatically generated (?:by|from)\b|\bgenerated\b.{0,80}\bdo not edit\b|\bdo not edit\b.{0,80}\bgenerated\b)/im;
const HEAD_LENGTH = 600;

/** Returns false for files that tools write and for data of tests, by their paths. */
export function isHandwrittenPath(path: string): boolean {
  if (LOCK_FILES.test(path) || GENERATED.test(path) || FIXTURES.test(path)) return false;
  return !TESTS.test(path) || SETTINGS_OF_TESTS.test(path);
}

/** Returns true if a file is ordinary configuration, style sheet or documentation, by its text, which is read at most once. */
export function isSplit(path: string, text: string, { group }: SectionForm): boolean {
  if (text.length > (JSON_NAME.test(path) ? MAX_JSON_LENGTH : MAX_LENGTH)) return false;
  if (group === 'documentation') return true;
  if (CATALOGS.test(path) && text.length > MAX_CATALOG_LENGTH) return false;
  return !NOTICE.test(text.slice(0, HEAD_LENGTH)) && !isMinified(text);
}
