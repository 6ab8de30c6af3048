import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseAnswer } from '../../src/services/check/answer.ts';
import type { Candidate } from '../../src/services/check/candidates.ts';
import { buildListwisePrompt, FUNCTIONS, PASSAGES } from '../../src/services/check/listwise.ts';
import { readTemplate } from '../../src/services/gguf/read-template.ts';
import { ranking } from './sample.ts';

const ISSUE = 'Cookies are cut [2] at {candidate}';
const candidates: Candidate[] = ranking(3).results.map((chunk) => {
  return { chunk, excerpt: `def ${chunk.name}():\n    return items[2]`, calls: [], overrides: [] };
});

/**
 * The form that both authors' code gives to a request in one turn: castorini/rank_llm, commit 1b3cabb (singleturn_listwise_inference_handler.py,
 * rank_zephyr_template.yaml), and SalesforceAIResearch/SweRank, commit 694af09 (rank_listwise_os_llm.py, create_prompt).
 */
describe('a request for a list of identifiers', () => {
  const forms = { passages: PASSAGES, functions: FUNCTIONS };
  for (const [name, template] of Object.entries(forms)) {
    const keepsLines = name === 'functions';
    const messages = buildListwisePrompt({ template, keepsLines }, ISSUE, candidates);
    const [system, user] = messages;
    const text = user?.content ?? '';

    it(`has the messages, the ${name} and the query where the authors have them`, () => {
      assert.deepEqual(
        messages.map(({ role }) => role),
        ['system', 'user'],
      );
      assert.notEqual(system?.content, '');
      const lines = text.split('\n');
      assert.match(lines[0] ?? '', /3 .*numerical identifier \[\].*Cookies are cut \(2\)/);
      // SweRank has an empty line after the query, rank_llm has none.
      assert.equal(lines[1] === '', keepsLines);
      const passages = lines.filter((line) => /^\[\d+\] /.test(line));
      // rank_llm joins the words of a passage by spaces, SweRank keeps the lines of code.
      const rest = (at: number) => (keepsLines ? '' : ` def f${at}(): return items(2)`);
      assert.deepEqual(
        passages,
        [1, 2, 3].map((at) => `[${at}] a.py/f${at}${rest(at)}`),
      );
      const [query = '', task = ''] = lines.slice(-2);
      assert.match(
        query,
        /^(Search Query|GitHub Issue): Cookies are cut \(2\) at \{candidate\}\.$/,
      );
      assert.match(task, /^Rank the 3 .* above .*\[\] > \[\], such as \[2\] > \[1\]/);
    });

    it(`has brackets around the identifiers of ${name} alone`, () => {
      assert.match(text, /return items\(2\)/);
      const identifiers = [...text.matchAll(/\[(\d+)\]/g)].map(([, id]) => id);
      assert.deepEqual(identifiers, ['1', '2', '3', '2', '1']);
    });
  }

  it('is answered with such a list', () => {
    const answers = [
      '[3] > [1] > [2]',
      '[3] > [1] > [2]</s>',
      'Ranking: [3]>[1] > [3] > [9] > [2]',
    ];
    for (const answer of answers) assert.deepEqual(parseAnswer(answer, 3)?.order, [2, 0, 1]);
  });

  it('can have the texts of a template of rank_llm', () => {
    const template = readTemplate(
      `method: "singleturn_listwise"
system_message: "You rank."
prefix: |
  {num} texts for {query}.
body: |
  [{rank}] {candidate}
suffix: |-
  Now rank the {num} for {query}.
output_validation_regex: r"^\\[\\d+\\]( > \\[\\d+\\])*$"
`,
      'mine.yaml',
    );
    const [system, user] = buildListwisePrompt(
      { template, keepsLines: false },
      'x',
      candidates.slice(0, 1),
    );
    assert.equal(system?.content, 'You rank.');
    assert.equal(
      user?.content,
      '1 texts for x.\n[1] a.py/f1 def f1(): return items(2)\nNow rank the 1 for x.',
    );
  });

  it('has no other template', () => {
    const invalid = [
      '',
      'method: pointwise\nbody: "{rank} {candidate}"',
      'method: singleturn_listwise\nbody: "{rank}"',
      'method: singleturn_listwise\nbody: [1]',
      '{{{',
      `a: &a [x]\nb: [*a, *a]\nmethod: singleturn_listwise`,
    ];
    for (const yaml of invalid)
      assert.throws(() => readTemplate(yaml, 'mine.yaml'), {
        code: 'bad-input',
        message: /mine\.yaml is not a template of rank_llm/,
      });
  });
});
