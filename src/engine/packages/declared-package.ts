/** Reads package names from manifests. */
import { escapeHidden } from '../../shared/quote.ts';
import { getPackageKind } from './kinds.ts';

/** Maximum UTF-16 units of a manifest that is read, and of a name. */
const MAX_MANIFEST_LENGTH = 1024 * 1024;
const MAX_NAME_LENGTH = 200;

/** Folders with test fixtures. */
const FIXTURE = /(?:^|\/)(?:__fixtures__|fixtures?)\//i;

export interface DeclaredPackage {
  /** Name in the manifest; null if it has none, or one that cannot be shown in a line. */
  name: string | null;
}

/**
 * Returns the package that a file declares; null if it declares none. A manifest that is too long or invalid gives a
 * package without a name.
 * @param text returns the file's text; called only for manifests
 */
export function readDeclaredPackage(path: string, text: () => string): DeclaredPackage | null {
  const kind = getPackageKind(path);
  if (!kind || FIXTURE.test(path)) return null;
  const content = text();
  if (content.length > MAX_MANIFEST_LENGTH) return { name: null };
  try {
    const name = kind.read(content, path);
    return name === undefined ? null : { name: name === null ? null : validateName(name) };
  } catch {
    // The manifest is invalid.
    return { name: null };
  }
}

function validateName(name: string): string | null {
  const trimmed = name.trim();
  const isPlain =
    trimmed !== '' && trimmed.length <= MAX_NAME_LENGTH && escapeHidden(trimmed) === trimmed;
  return isPlain ? trimmed : null;
}
