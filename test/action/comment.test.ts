import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { it } from 'node:test';
import { formatReason, MARKER, writeComment } from '../../src/action/comment.ts';
import type { RankedFunction } from '../../src/action/list.ts';
import { COMMIT, list } from './samples.ts';

const PLACE = {
  remote: { scheme: 'https', host: 'github.com', path: 'acme/shop', isSsh: false },
  label: 'no-ranking',
  homepage: null,
} as const;
const [shown] = list().results;
const write = (change: Partial<RankedFunction>, partial: string | null = null) =>
  writeComment(list({ results: [{ ...shown, ...change }], partial }), PLACE);

// GitHub's own renderer is not at hand. This one also makes links of plain addresses, and keeps HTML.
const markdown = createRequire(import.meta.url)('markdown-it')({
  html: true,
  linkify: true,
  breaks: true,
});

/** Returns the tags of a comment as rendered, and its text outside of code. */
function render(comment: string): { tags: string[]; links: string[]; text: string } {
  const html: string = markdown.render(comment);
  const withoutCode = html.replace(/<code>[^<]*<\/code>/g, '<code>');
  const tags = [...withoutCode.matchAll(/<(?!\/|!)([a-z0-9]+)/g)].map(([, tag]) => tag);
  const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, url]) => url);
  return { tags, links, text: withoutCode.replace(/<[^>]*>/g, '') };
}

const plain = render(write({}));

const HOSTILE = [
  '@octocat',
  'ask @acme/security now',
  '#123',
  'acme/shop#123',
  'GH-123',
  'www.evil.example',
  'https://evil.example/x',
  'mail@evil.example',
  '<img src=x onerror=alert(1)>',
  '<details open>',
  '-->',
  '![x](https://evil.example/x.png)',
  '[x](https://evil.example)',
  '`@octocat',
  '``` @octocat ```',
  '`` ` @octocat',
  '\\`@octocat\\`',
  'a\n\n# Heading @octocat',
  'a\r\n- [ ] task',
  '~~~\n@octocat',
  '| a | b |',
  '**bold** _x_ ~~y~~',
  '&commat;octocat &#64;octocat',
  '\u202eright to left',
  ':tada: $x$ {x}',
  ' ',
  '`',
];

for (const text of HOSTILE)
  it(`${JSON.stringify(text)} is shown as code, whatever it is`, () => {
    for (const comment of [
      write({ name: text }),
      write({ path: text.replaceAll('/', '-') }),
      write({ reasons: [text] }),
      write({ reasons: [`the issue mentions \`${text}\``, `\`x\` ${text} \`y\``] }),
      write({}, text),
    ]) {
      const { tags, links, text: visible } = render(comment);
      assert.doesNotMatch(visible, /[@#<>[\]|*~_]|www\.|evil|GH-|octocat|\u202e/i, comment);
      // The same elements and no other address, except for emphasis of a list that is not final.
      const known = new Set([...plain.tags, 'strong']);
      assert.deepEqual(
        tags.filter((tag) => !known.has(tag)),
        [],
        comment,
      );
      assert.equal(tags.filter((tag) => tag === 'ol').length, 1, comment);
      assert.equal(tags.filter((tag) => tag === 'li').length, 1, comment);
      assert.equal(links.length, plain.links.length, comment);
      for (const link of links)
        assert.match(link, /^https:\/\/github\.com\/acme\/shop\/(tree|blob)\/[0-9a-f]{40}/);
      assert.ok(comment.startsWith(`${MARKER}\n`));
    }
  });

it('words of Locus stay readable', () => {
  for (const [reason, expected] of [
    [
      'its code mentions `a`, `b`, as the title does',
      'its code mentions `a`, `b`, as the title does',
    ],
    ['changed in a similar commit: `Fix @x (#12)` (98d5adf, 2024)', null],
    ['the issue mentions `Faraday` (one of 31 with this name)', null],
    ['Half of the files are indexed.', null],
    ['a <b>', '`a <b>`'],
    ['see `x` @y', '`` see `x` @y ``'],
  ] as const)
    assert.equal(formatReason(reason), expected ?? reason);
});

it('module code, a list that is not final and a long path are shown', () => {
  const text = write({ kind: 'module', path: '🦊'.repeat(500) }, 'Half is indexed.');
  assert.match(text, /\n1\. `parse_cookie` module code, `…🦊+:42`\n/u);
  assert.match(text, /\n\*\*Not final\*\*: Half is indexed\.\n/);
  assert.match(text, new RegExp(`/tree/${COMMIT}>`));
});

it('the longest list fits into a comment', () => {
  const result = {
    ...shown,
    path: `${'\u202e/'.repeat(499)}a`,
    name: '\u202e'.repeat(200),
    reasons: Array(3).fill('\u202e'.repeat(200)),
  };
  const longest = list({ results: Array(5).fill(result), partial: '\u202e'.repeat(200) });
  assert.ok(writeComment(longest, PLACE).length < 65_536);
});
