import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getTestedStem, inferRole } from '../../src/engine/source/role.ts';

const expected = {
  test: [
    'tests/urls.py',
    'sympy/core/tests/test_basic.py',
    'sympy/testing/tests/diagnose_imports.py',
    'testing/python/fixtures.py',
    'test/helpers.py',
    'src/test/java/Thing.java',
    'Tests/check_png.py',
    'polls/tests.py',
    'pkg/conftest.py',
    'conftest.py',
    'pkg/util/test_query.py',
    'pkg/util/query_test.py',
    'web/button.test.py',
    'e2e-tests/server/app.py',
    'cms/test_utils/testcases.py',
    'examples/shop/tests/factories.py',
  ],
  source: [
    'django/test/client.py',
    'django/core/management/commands/test.py',
    'sympy/testing/runtests.py',
    'numpy/testing/_private/utils.py',
    'pandas/_testing/asserters.py',
    'src/click/testing.py',
    'src/_pytest/doctest.py',
    'src/pytest/__init__.py',
    'scipy/stats/fit_tests.py',
    'virtualenv/discovery/py_spec.py',
    'sympy/stats/sampling/sample_numpy.py',
    'lab/samples/views.py',
    'botocore/docs/service.py',
    'pkg/conf.py',
    'setup.py',
    'contest.py',
    'latest/attest.py',
  ],
  example: [
    'examples/naval/naval.py',
    'sympy/core/benchmarks/bench_arit.py',
    'demos/chat/chat.py',
    'bench/bench.py',
  ],
  doc: ['docs/conf.py', 'doc/ext/docscrape.py', 'Doc/conf.py', 'packages/one/docs/conf.py'],
};

for (const [role, paths] of Object.entries(expected)) {
  test(`paths of role ${role}`, () => {
    assert.deepEqual(
      paths.filter((path) => inferRole(path) !== role),
      [],
    );
  });
}

test('the name of a test file gives the name of the tested file', () => {
  const stems = {
    cookies: ['shop/cookies.py', 'tests/test_cookies.py', 'cookies_test.py', 'cookies.test.py'],
    views: ['views.py', 'tests_views.py', 'views.spec.py', 'views_tests.py'],
    contest: ['contest.py'],
  };
  for (const [stem, paths] of Object.entries(stems)) {
    for (const path of paths) assert.equal(getTestedStem(path), stem, path);
  }
});
