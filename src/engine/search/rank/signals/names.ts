import type { IssueSpan } from '../../../../shared/evidence.ts';
import { getOrAdd } from '../../../../shared/get-or-add.ts';
import { present } from '../../../../shared/present.ts';
import { quoted } from '../../../../shared/quoted.ts';
import { queryTerms, termsIn } from '../../../lexical/tokenize.ts';
import { isConstructor } from '../../../snapshot/members.ts';
import type { Candidates } from '../../gather/gather.ts';
import type { NameMention } from '../../gather/names.ts';
import { measureEach, measureSlots, oncePerSearch, withFamily } from './signal.ts';
import { asCount, asNumber, asShare, inSentence, quoteFirst, tellingWords } from './wording.ts';

export const NAME_SIGNALS = withFamily('names', [
  /** Where the issue has the chunk's name: 1 / root of the number of definitions that share it. */
  {
    name: 'name',
    title: 'Its name is named',
    measure: (candidates) => measureSlots(candidates, namedSlots(candidates)),
    format: asCount,
    explain({ slot, candidates }) {
      const mentions = getMentions(slot, candidates);
      const spans = mentions.flatMap((mention) => mention.spans);
      const definitions = Math.min(...mentions.map((mention) => mention.definitions));
      const shared = definitions === 1 ? '' : ` (one of ${definitions} definitions)`;
      return { sentence: `${quoteFirst(spans, 'its name')} in the issue${shared}`, spans };
    },
  },
  /**
   * Which share of the words of its qualified name the issue has, each counting its inverse document frequency: 1 where
   * the issue has all of `Session.rebuild_auth`, however it is written.
   */
  {
    name: 'nameCoverage',
    title: 'Words of its name in the issue',
    measure(candidates) {
      const wordsOf = nameWords(candidates);
      return measureEach(candidates, ({ qualifiedName }) => {
        let all = 0;
        let said = 0;
        for (const word of wordsOf(qualifiedName)) {
          all += word.score;
          if (word.said) said += word.score;
        }
        return all > 0 ? said / all : 0;
      });
    },
    format: asShare,
    explain({ slot, candidates }) {
      const all = nameWords(candidates)(candidates.index.chunk(slot).qualifiedName);
      const said = all.filter((word) => word.said).sort((a, b) => b.score - a.score);
      const words = tellingWords(said.map(({ term, score }) => ({ term, score })));
      return { sentence: `its name has ${inSentence(words, 'words of the issue')}`, words };
    },
  },
  {
    name: 'className',
    title: 'Its class is named',
    measure(candidates) {
      const values = namedSlots(candidates);
      return measureEach(candidates, ({ parent }) => (values.has(parent) ? 1 : 0));
    },
    format: asCount,
    explain({ slot, candidates }) {
      const spans = spansNaming(candidates.index.chunk(slot).parent, candidates);
      return { sentence: `its class ${quoteFirst(spans, '')} in the issue`, spans };
    },
  },
  /**
   * For a method that a class named in the issue inherits and does not override: 1 / (distance to the class that defines
   * it × root of the number of definitions that share the subclass's name).
   */
  {
    name: 'inherited',
    title: 'A named class inherits it',
    measure: (candidates) =>
      measureEach(candidates, (_, slot) => candidates.inherited.get(slot)?.value ?? 0),
    format: asNumber(2),
    explain({ slot, candidates }) {
      const { subclass } = present(candidates.inherited.get(slot), 'the class that inherits');
      const spans = spansNaming(subclass, candidates);
      const name = quoted(candidates.index.chunk(subclass).qualifiedName);
      return { sentence: `inherited by ${quoteFirst(spans, name)}`, spans };
    },
  },
  /** For a constructor of a class named in an issue that speaks of making or passing: 1 / root of the number of definitions. */
  {
    name: 'initializer',
    title: 'Makes objects of a named class',
    measure(candidates) {
      const values = namedSlots(candidates);
      const speaks = candidates.issue.sections.some(
        ({ kind, text }) => (kind === 'title' || kind === 'prose') && MAKING.test(text),
      );
      return measureEach(candidates, (chunk) =>
        speaks && isConstructor(chunk) ? (values.get(chunk.parent) ?? 0) : 0,
      );
    },
    format: asNumber(2),
    explain({ slot, candidates }) {
      const spans = spansNaming(candidates.index.chunk(slot).parent, candidates);
      return { sentence: `makes objects of ${quoteFirst(spans, 'a named class')}`, spans };
    },
  },
]);

interface NameWord {
  term: string;
  score: number;
  said: boolean;
}

const nameWords = oncePerSearch(({ issue, index }: Candidates) => {
  const said = queryTerms(issue.searched);
  const words = new Map<string, NameWord>();
  const wordOf = (term: string) =>
    getOrAdd(words, term, () => ({ term, score: index.lexical.idf(term), said: said.has(term) }));
  return (qualifiedName: string): NameWord[] =>
    termsIn(qualifiedName)
      // The whole of `rebuild_auth` beside its words would count them twice.
      .filter((term) => !term.includes('_'))
      .map(wordOf);
});

/** Words about how objects are made. */
const MAKING =
  /\b(?:arguments?|param(?:eter)?s?|kwargs?|keywords?|constructors?|instantiat\w*|initiali[sz]\w*|validat\w*|accepts?|creat\w+)\b/i;

/** Returns by slot: 1 / root of the number of definitions that share the name that the issue has. */
function namedSlots({ issue }: Candidates): Map<number, number> {
  const values = new Map<number, number>();
  for (const { slots, definitions } of issue.names) {
    const value = 1 / Math.sqrt(definitions);
    for (const slot of slots) values.set(slot, Math.max(value, values.get(slot) ?? 0));
  }
  return values;
}

function getMentions(slot: number, { issue }: Candidates): NameMention[] {
  return issue.names.filter(({ slots }) => slots.includes(slot));
}

function spansNaming(slot: number, candidates: Candidates): IssueSpan[] {
  return getMentions(slot, candidates).flatMap(({ spans }) => spans);
}
