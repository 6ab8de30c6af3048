/** Definitions in a block that only tests or scripts run have the role of test code. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parserFor } from '../languages/helpers.ts';

const listTests = async (language: string, text: string): Promise<string[]> => {
  const { chunks } = (await parserFor(language))(text);
  return chunks.filter(({ isTest }) => isTest).map(({ qualifiedName }) => qualifiedName);
};

test('python: a script has functions that importers do not get', async () => {
  const text = `def total():
    return 1

if __name__ == "__main__":
    def report():
        return total()

    class Runner:
        def run(self):
            pass
else:
    def imported():
        pass

if __name__ == 'shop':
    def other():
        pass

if platform == "__main__":
    def another():
        pass
`;
  assert.deepEqual(await listTests('python', text), ['report', 'Runner', 'Runner.run']);
});

for (const language of ['javascript', 'typescript', 'tsx']) {
  test(`${language}: tests in a source`, async () => {
    const text = `export function add(a, b) { return a + b; }

if (import.meta.vitest) {
  const { it, expect } = import.meta.vitest;
  function make() { return add(1, 2); }
  const check = () => expect(make()).toBe(3);
  class Fixture { reset() {} }
  it('adds', check);
}

if (import.meta.env) {
  function production() {}
}
if (meta.vitest) {
  function alike() {}
}
`;
    const expected = ['make', 'check', 'Fixture', 'Fixture.reset'];
    assert.deepEqual(await listTests(language, text), expected);
  });
}
