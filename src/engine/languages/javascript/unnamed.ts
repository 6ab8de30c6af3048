/** Names of default exports that have none: those of their files. */
import type { UnnamedDefinitions } from '../language.ts';
import { INDEX, removeExtension, SOURCES } from './sources.ts';
import { toPascalCase } from './vue.ts';

const DEFAULT = 'default';
/** End of the stem of a component that only one side of an app has. */
const SIDE = /\.(?:client|server|global)$/;

export const unnamedExports: UnnamedDefinitions = { name: DEFAULT, readName: readFileName };

/** A component's name is that of its file in the form of a tag's name, as the tools for developers show it. */
export const unnamedComponents: UnnamedDefinitions = {
  name: DEFAULT,
  readName(path) {
    const name = readFileName(path);
    return name && toPascalCase(name.replace(SIDE, ''));
  },
};

/** Returns the stem of a file, or of its folder if it is an index file. Empty if neither tells. */
function readFileName(path: string): string {
  const [stem = '', ...folders] = removeExtension(path).split('/').toReversed();
  return stem === INDEX ? (folders.find((folder) => !SOURCES.has(folder)) ?? '') : stem;
}
