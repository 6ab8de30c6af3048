/** Grammars that do not come from the packages of their authors, and their versions, by package and by the name of each grammar. */

type Versions = Readonly<Record<string, string>>;

/** Grammars of packages that contain only the WebAssembly files of many. Their others are older than the ones in use, or are unused. */
export const GRAMMAR_COLLECTIONS: Readonly<Record<string, Versions>> = {
  '@repomix/tree-sitter-wasms': {
    'tree-sitter-c': '0.24.1',
    'tree-sitter-cpp': '0.23.4',
    'tree-sitter-dart': '1.0.0',
    'tree-sitter-go': '0.25.0',
    'tree-sitter-java': '0.23.5',
    'tree-sitter-javascript': '0.25.0',
    'tree-sitter-php': '0.24.2',
    'tree-sitter-ruby': '0.23.1',
    'tree-sitter-rust': '0.24.0',
    'tree-sitter-solidity': '1.2.13',
    'tree-sitter-typescript': '0.23.2',
  },
  // A commit stands for a version that has no number.
  '@cursorless/tree-sitter-wasms': {
    'tree-sitter-bash': '2fbd860',
    'tree-sitter-clojure': 'f4236d4',
    'tree-sitter-elixir': '02a6f7f',
    'tree-sitter-haskell': 'a50070d',
    'tree-sitter-hcl': 'e135399',
    'tree-sitter-lua': '9668709',
    'tree-sitter-nix': '66e3e9c',
    'tree-sitter-perl': '8d48b29',
    'tree-sitter-r': '1.1.0',
    'tree-sitter-scala': '0.23.4',
    'tree-sitter-swift': '7e4ccc9',
    'tree-sitter-zig': '1.1.2',
  },
};

/** Grammars in the folder `grammars`, since no package of a reasonable size has their WebAssembly. Its README says where they come from. */
export const BUNDLED_GRAMMARS: Versions = {
  'tree-sitter-cmake': '93fa0f1',
  'tree-sitter-dockerfile': '971acdd',
  'tree-sitter-erlang': '9b57711',
  'tree-sitter-fsharp': '0.3.12',
  'tree-sitter-graphql': '5e66e96',
  'tree-sitter-julia': '0.23.1',
  'tree-sitter-make': '1.1.1',
  'tree-sitter-objc': '3.0.2',
  'tree-sitter-ocaml': '0.24.2',
  'tree-sitter-powershell': '0.26.4',
  'tree-sitter-proto': 'cf8e4eb',
  'tree-sitter-sql': '0.3.11',
};

/** Returns the version of a grammar of a collection or of the folder, by the name of the grammar's own package; undefined for other grammars. */
export function getCollectedVersion(name: string): string | undefined {
  return [...Object.values(GRAMMAR_COLLECTIONS), BUNDLED_GRAMMARS].find(
    (versions) => name in versions,
  )?.[name];
}
