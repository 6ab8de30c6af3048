import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { scoreCommand } from '../../src/renderer/features/palette/score.ts';
import {
  type Command,
  getCommand,
  listCommands,
  registerCommands,
  runCommand,
} from '../../src/renderer/platform/commands.ts';
import {
  findCommand,
  getKeyLabels,
  getKeys,
  groupByKeys,
} from '../../src/renderer/platform/keys.ts';

const make = (id: string, more: Partial<Command> = {}): Command => ({
  id,
  title: id,
  run: () => {},
  ...more,
});

describe('commands', () => {
  it('have unique ids; a later command replaces one with the same id', () => {
    registerCommands([make('test.a'), make('test.b', { title: 'First' })]);
    registerCommands([make('test.b', { title: 'Second', keys: '$mod+B' })]);
    assert.deepEqual(
      listCommands().map(({ id, title }) => `${id} ${title}`),
      ['test.a test.a', 'test.b Second'],
    );
    assert.equal(getCommand('test.b')?.title, 'Second');
    assert.equal(getCommand('test.none'), undefined);
    assert.equal(getKeys('test.b').at(-1), 'B');
    assert.deepEqual(getKeys('test.a'), []);
  });

  it('run only if they are enabled', () => {
    let runs = 0;
    const run = () => {
      runs += 1;
    };
    registerCommands([make('test.on', { run }), make('test.off', { run, enabled: () => false })]);
    for (const id of ['test.on', 'test.off', 'test.none']) runCommand(id);
    assert.equal(runs, 1);
  });
});

describe('the command of a key', () => {
  const where = (pane: 'issue' | 'results' | 'side' | null, typing = false, dialog = false) => ({
    pane,
    typing,
    dialog,
  });

  it('is found under either of its bindings', () => {
    const palette = make('palette', { keys: '$mod+K', otherKeys: '$mod+Shift+P' });
    const other = make('other', { keys: '$mod+K' });
    const byKeys = groupByKeys([palette, other, make('none')]);
    assert.deepEqual([...byKeys.keys()], ['$mod+K', '$mod+Shift+P']);
    assert.deepEqual(byKeys.get('$mod+K'), [palette, other]);
  });

  it('is the command of the focused pane, before one that works anywhere', () => {
    const back = make('back');
    const near = make('near', { within: 'side' });
    assert.equal(findCommand('Alt+ArrowLeft', [back, near], where('side')), near);
    assert.equal(findCommand('Alt+ArrowLeft', [back, near], where('results')), back);
    const off = make('off', { within: 'side', enabled: () => false });
    assert.equal(findCommand('Alt+ArrowLeft', [off, back], where('side')), back);
  });

  it('is off during typing if the key would type a letter', () => {
    const one = make('one', { within: 'results' });
    assert.equal(findCommand('e', [one], where('results')), one);
    assert.equal(findCommand('e', [one], where('results', true)), undefined);
    assert.equal(findCommand('e', [one], where(null)), undefined);
    const any = make('any');
    assert.equal(findCommand('Shift+?', [any], where('issue', true)), undefined);
    assert.equal(findCommand('F1', [any], where('issue', true)), any);
    assert.equal(findCommand('$mod+K', [any], where('issue', true)), any);
  });
});

describe('over a dialog', () => {
  it('only keys of window-wide commands work', () => {
    const over = { pane: null, typing: true, dialog: true };
    const search = make('search', { keys: '$mod+Enter' });
    const zoom = make('zoom', { keys: '$mod+=', overDialogs: true });
    assert.equal(findCommand('$mod+Enter', [search], over), undefined);
    assert.equal(findCommand('$mod+=', [zoom], over), zoom);
  });
});

describe('key caps', () => {
  it('show each key once, and a question mark without Shift', () => {
    assert.deepEqual(getKeyLabels('Alt+ArrowDown').slice(-1), ['↓']);
    assert.deepEqual(getKeyLabels('g i'), ['G', 'I']);
    assert.deepEqual(getKeyLabels('Shift+?'), ['?']);
    assert.deepEqual(getKeyLabels('Shift+F6').at(-1), 'F6');
    assert.deepEqual(getKeyLabels(undefined), []);
  });
});

describe('the score of a command', () => {
  const score = (typed: string) => scoreCommand('id', typed, ['Export list…', 'Results']);

  it('is best for a match at the start of the title, then of a word; every word must match', () => {
    assert.equal(score('exp'), 1);
    assert.equal(score('LIST'), 0.8);
    assert.equal(score('port'), 0.4);
    assert.equal(score('export res'), 0.8);
    assert.equal(score('export zebra'), 0);
    assert.equal(score('elt'), 0);
    assert.equal(score(' '), 1);
  });
});
