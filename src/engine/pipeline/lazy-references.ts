import type { FileFacts, ReferenceFact } from '../languages/facts.ts';

/**
 * Returns facts whose references are read on each access. Most facts are references, which are needed only while their file is
 * being resolved.
 */
export function withLazyReferences(
  { references: _read, ...rest }: FileFacts,
  references: () => ReferenceFact[],
): FileFacts {
  return {
    ...rest,
    get references() {
      return references();
    },
  };
}
