import type { IssueSpan } from '../../../shared/evidence.ts';
import type { Issue } from '../../issue/issue.ts';
import type { IssueSyntax } from '../../languages/issue-syntax.ts';
import type { SearchIndex } from '../../snapshot/types.ts';

/** A name in the issue and what it may stand for. */
export interface NameMention {
  /** `set_cookie`, or `HttpResponse.set_cookie` where the issue says of which class or module. */
  name: string;
  spans: IssueSpan[];
  /** Slots of the definitions. */
  slots: number[];
  /** How many definitions it may stand for: those in source files, if there are any there, or else all. */
  definitions: number;
}

const MAX_NAMES = 300;
const MAX_SPANS = 5;

/** The names in the issue that are defined in the repository, in order of first appearance. */
export function resolveNames({ mentions, syntaxes }: Issue, index: SearchIndex): NameMention[] {
  const found = new Map<string, NameMention | null>();
  let kept = 0;
  for (const { name, owner, span } of mentions.names) {
    const full = owner === null ? name : `${owner}.${name}`;
    let mention = found.get(full);
    if (mention === undefined) {
      const defined = kept < MAX_NAMES ? definitionsOf(name, owner, index, syntaxes) : null;
      mention = defined && { name: full, spans: [], ...defined };
      found.set(full, mention);
      if (mention) kept++;
    }
    if (mention && mention.spans.length < MAX_SPANS) mention.spans.push(span);
  }
  return [...found.values()].filter((mention) => mention !== null);
}

/** What a name, or a name after its class, module or object, is defined as; null when it is not. */
function definitionsOf(
  name: string,
  owner: string | null,
  index: SearchIndex,
  syntaxes: readonly IssueSyntax[],
): Pick<NameMention, 'slots' | 'definitions'> | null {
  const all = index.slotsByName(name);
  if (all.length === 0) return null;
  const owned = owner === null ? [] : all.filter((slot) => belongsTo(slot, owner, index, syntaxes));
  const slots = owned.length > 0 ? owned : [...all];
  const inSource = slots.filter((slot) => index.chunks[slot]?.role === 'source').length;
  return { slots, definitions: inSource || slots.length };
}

/** Whether a chunk is a member of a class of this name, or top-level in a module of this name. */
function belongsTo(
  slot: number,
  owner: string,
  index: SearchIndex,
  syntaxes: readonly IssueSyntax[],
): boolean {
  const chunk = index.chunks[slot];
  if (!chunk) return false;
  const { qualifiedName, name, path } = chunk;
  if (qualifiedName === name) {
    return syntaxes.some((syntax) => {
      const module = syntax.moduleOf(path);
      return module === owner || module.endsWith(`/${owner}`);
    });
  }
  const class_ = qualifiedName.slice(0, -name.length - 1);
  return class_ === owner || class_.endsWith(`.${owner}`);
}
