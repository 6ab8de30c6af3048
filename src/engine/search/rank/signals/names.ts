import { assertPresent } from '../../../../shared/assert-present.ts';
import type { IssueSpan } from '../../../../shared/evidence.ts';
import { getOrAdd } from '../../../../shared/get-or-add.ts';
import { quoteText } from '../../../../shared/quote.ts';
import { countQueryTerms, listTerms } from '../../../lexical/tokenize.ts';
import { isConstructor } from '../../../snapshot/members.ts';
import type { Candidates } from '../../gather/gather.ts';
import type { NameMention } from '../../gather/names.ts';
import { cachePerSearch, measureEach, measureSlots, withFamily } from './signal.ts';
import {
  formatPercent,
  formatShare,
  formatStrength,
  formatYesOrNo,
  listWords,
  pickInformativeWords,
  quoteFirst,
} from './wording.ts';

export const NAME_SIGNALS = withFamily('names', [
  /** If the issue mentions the chunk's name: 1 / √n for the n definitions that share it. */
  {
    name: 'name',
    title: 'Its name is mentioned',
    measure: (candidates) => measureSlots(candidates, scoreNamedSlots(candidates)),
    format: formatShare,
    explain({ slot, candidates }) {
      const mentions = getMentions(slot, candidates);
      const spans = mentions.flatMap((mention) => mention.spans);
      const definitions = Math.min(...mentions.map((mention) => mention.definitions));
      const shared = definitions === 1 ? '' : ` (one of ${definitions} with this name)`;
      return { sentence: `the issue mentions ${quoteFirst(spans, 'its name')}${shared}`, spans };
    },
  },
  /**
   * Share of the words of the qualified name that occur in the issue, weighted by inverse document frequency: 1 if the
   * issue has all words of `Session.rebuild_auth`, in whatever form.
   */
  {
    name: 'nameCoverage',
    title: 'Words of its name in the issue',
    measure(candidates) {
      const listWords = createNameWordLister(candidates);
      return measureEach(candidates, ({ qualifiedName }) => {
        let all = 0;
        let mentioned = 0;
        for (const word of listWords(qualifiedName)) {
          all += word.score;
          if (word.isMentioned) mentioned += word.score;
        }
        return all > 0 ? mentioned / all : 0;
      });
    },
    format: formatPercent,
    explain({ slot, candidates }) {
      const all = createNameWordLister(candidates)(candidates.index.getChunk(slot).qualifiedName);
      const mentioned = all.filter((word) => word.isMentioned).sort((a, b) => b.score - a.score);
      const words = pickInformativeWords(mentioned.map(({ term, score }) => ({ term, score })));
      return { sentence: `its name contains ${listWords(words, 'words of the issue')}`, words };
    },
  },
  {
    name: 'className',
    title: 'Its class is mentioned',
    measure(candidates) {
      const values = scoreNamedSlots(candidates);
      return measureEach(candidates, ({ parent }) => (values.has(parent) ? 1 : 0));
    },
    format: formatYesOrNo,
    explain({ slot, candidates }) {
      const spans = findSpansNaming(candidates.index.getChunk(slot).parent, candidates);
      return { sentence: `the issue mentions its class ${quoteFirst(spans, '')}`, spans };
    },
  },
  /**
   * For a method that a class mentioned in the issue inherits and does not override: 1 / (distance to the class that
   * defines it × √n), for the n definitions that share the subclass's name.
   */
  {
    name: 'inherited',
    title: 'Inherited by a mentioned class',
    measure: (candidates) =>
      measureEach(candidates, (_, slot) => candidates.inherited.get(slot)?.value ?? 0),
    format: formatStrength,
    explain({ slot, candidates }) {
      const { subclass } = assertPresent(candidates.inherited.get(slot), 'the class that inherits');
      const spans = findSpansNaming(subclass, candidates);
      const name = quoteText(candidates.index.getChunk(subclass).qualifiedName);
      const sentence = `inherited by ${quoteFirst(spans, name)}, which the issue mentions`;
      return { sentence, spans };
    },
  },
  /** For the constructor of a mentioned class, if the issue has a word about creating objects: 1 / √n for n definitions. */
  {
    name: 'initializer',
    title: 'Constructor of a mentioned class',
    measure(candidates) {
      const values = scoreNamedSlots(candidates);
      const isAboutCreation = candidates.issue.sections.some(
        ({ kind, text }) => (kind === 'title' || kind === 'prose') && CREATION_WORDS.test(text),
      );
      return measureEach(candidates, (chunk) =>
        isAboutCreation && isConstructor(chunk) ? (values.get(chunk.parent) ?? 0) : 0,
      );
    },
    format: formatStrength,
    explain({ slot, candidates }) {
      const spans = findSpansNaming(candidates.index.getChunk(slot).parent, candidates);
      const sentence = `constructor of ${quoteFirst(spans, 'a class')}, which the issue mentions`;
      return { sentence, spans };
    },
  },
]);

interface NameWord {
  term: string;
  score: number;
  isMentioned: boolean;
}

const createNameWordLister = cachePerSearch(({ issue, index }: Candidates) => {
  const mentioned = countQueryTerms(issue.searched);
  const words = new Map<string, NameWord>();
  const getWord = (term: string) =>
    getOrAdd(words, term, () => ({
      term,
      score: index.lexical.getIdf(term),
      isMentioned: mentioned.has(term),
    }));
  return (qualifiedName: string): NameWord[] =>
    listTerms(qualifiedName)
      // The words of `rebuild_auth` are terms too, so the whole would count them twice.
      .filter((term) => !term.includes('_'))
      .map(getWord);
});

/** Words about creating objects. */
const CREATION_WORDS =
  /\b(?:arguments?|param(?:eter)?s?|kwargs?|keywords?|constructors?|instantiat\w*|initiali[sz]\w*|validat\w*|accepts?|creat\w+)\b/i;

/** Returns the slots that the issue mentions by name, with 1 / √n for the n definitions that share the name. */
function scoreNamedSlots({ issue }: Candidates): Map<number, number> {
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

function findSpansNaming(slot: number, candidates: Candidates): IssueSpan[] {
  return getMentions(slot, candidates).flatMap(({ spans }) => spans);
}
