/**
 * Names under which Locus is published, and addresses that whoever publishes it sets once. A file that cannot import them, such as
 * package.json, repeats them; test/release/names.test.ts compares.
 */

/** Account of the code host, of the registries of containers and extensions, and of winget. */
const OWNER = 'owner-invalid';
/** The name that Locus has wherever it is published. It is also the alias of the command, as another package may have a `locus`. */
const NAME = 'locus-edit';

export const NAMES = {
  command: 'locus',
  alias: NAME,
  npm: NAME,
  npmModels: `${NAME}-models`,
  desktopApp: `io.github.${OWNER}.${NAME}`,
  vscodePublisher: OWNER,
  vscodeExtension: NAME,
  mcpServer: `io.github.${OWNER}/${NAME}`,
  winget: `${OWNER}.${NAME}`,
  homebrew: `${OWNER}/tap/${NAME}`,
  dockerImage: `ghcr.io/${OWNER}/${NAME}`,
  homepage: 'https://locus.invalid',
  repository: `https://github.com/${OWNER}/${NAME}`,
  contact: 'contributors@locus.invalid',
} as const;

/** Returns the npm name of the package for a platform, such as `linux-x64-musl`. */
export const getPlatformPackage = (platform: string): string => `${NAMES.npm}-${platform}`;

/** A part of a name that stands for an account or address that is not set. */
const PLACEHOLDER = /\binvalid\b/;

/**
 * Checks that every name is set.
 * @throws Error that lists those with a placeholder
 */
export function assertNoPlaceholders(names: Readonly<Record<string, string>> = NAMES): void {
  const unset = Object.entries(names).filter(([, value]) => PLACEHOLDER.test(value));
  if (unset.length === 0) return;
  const lines = unset.map(([key, value]) => `  ${key}: ${value}`);
  throw new Error(
    `These names in scripts/release/names.ts are placeholders:\n${lines.join('\n')}\nSet OWNER and the addresses there.`,
  );
}
