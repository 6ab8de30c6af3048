/** What a manifest says of the package that its folder is. */
import { visible } from '../../shared/quoted.ts';
import { packageKindOf } from './kinds.ts';

/** UTF-16 units: of a manifest, beyond which it is not read, and of a name. */
const LONGEST_MANIFEST = 1024 * 1024;
const LONGEST_NAME = 200;

/** Folders of what tests try, which have no other name for their role. */
const FIXTURE = /(?:^|\/)(?:__fixtures__|fixtures?)\//i;

export interface DeclaredPackage {
  /** As the manifest has it; null where that is none, or none that can be shown in a line. */
  name: string | null;
}

/**
 * The package that a file declares; null for a file that declares none. A manifest that is too long, or does not parse, makes a
 * package without a name.
 * @param text the file's, asked for where the path is that of a manifest
 */
export function declaredIn(path: string, text: () => string): DeclaredPackage | null {
  const kind = packageKindOf(path);
  if (!kind || FIXTURE.test(path)) return null;
  const content = text();
  if (content.length > LONGEST_MANIFEST) return { name: null };
  try {
    const name = kind.read(content, path);
    return name === undefined ? null : { name: name === null ? null : shown(name) };
  } catch {
    // The manifest is invalid.
    return { name: null };
  }
}

function shown(name: string): string | null {
  const bare = name.trim();
  const isPlain = bare !== '' && bare.length <= LONGEST_NAME && visible(bare) === bare;
  return isPlain ? bare : null;
}
