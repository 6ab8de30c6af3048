import type { Evidence } from '../../../shared/evidence.ts';
import { quoteText } from '../../../shared/quote.ts';
import type { RankedChunk } from '../../../shared/search.ts';
import { summarizeInPackage } from '../../snapshot/address.ts';
import type { SearchIndex } from '../../snapshot/types.ts';
import type { PointedSection, PointedSections } from '../gather/sections.ts';
import {
  describeMention,
  explainLexicalScore,
  formatPercent,
  formatYesOrNo,
} from '../rank/signals/wording.ts';

/** Returns a list with the sections that the issue points to at their ranks. The other results move down. */
export function insertSections(
  ranked: readonly RankedChunk[],
  { index, sections, words }: PointedSections,
): RankedChunk[] {
  const results = [...ranked];
  for (const section of sections) {
    const { slot, chance, rank } = section;
    results.splice(Math.min(rank - 1, results.length), 0, {
      ...summarizeInPackage(slot, index),
      rank,
      score: chance,
      evidence: explainSection(section, words, index),
    });
  }
  return results.map((result, at) => ({ ...result, rank: at + 1 }));
}

/** Returns the rank of a result in the list with sections, by its rank in the list without them. */
export function moveBelowSections(rank: number, pointed: PointedSections | null): number {
  let moved = rank;
  for (const section of pointed?.sections ?? []) if (section.rank <= moved) moved++;
  return moved;
}

/** Explains why the issue points to a section. The contributions add up to its chance. */
function explainSection(
  { slot, chance, mention, name, issueShare }: PointedSection,
  words: PointedSections['words'],
  index: SearchIndex,
): Evidence {
  const { fields, words: all } = explainLexicalScore(slot, words, index);
  const [span, title, what] = mention
    ? [mention.span, 'Its file is mentioned', 'its file']
    : [name, 'Its name is mentioned', 'it as'];
  const said = span?.text.toLowerCase() ?? '';
  const others = all.filter(({ word }) => !said.includes(word));
  const share = span ? chance / 2 : chance;
  return {
    ...(span && {
      sectionMention: {
        family: mention ? 'location' : 'names',
        title,
        value: 1,
        measured: formatYesOrNo(1),
        contribution: chance - share,
        sentence: `the issue mentions ${what} ${quoteText(span.text)}`,
        spans: [span],
      },
    }),
    sectionWords: {
      family: 'words',
      title: 'Words of the issue',
      value: issueShare,
      measured: formatPercent(issueShare),
      contribution: share,
      sentence: others.length > 0 ? describeMention('it', others, 'the issue') : null,
      words: all,
      fields,
    },
  };
}
