/** Recognizes commits that only satisfy a linter or a formatter. */

const TOOLS = new Set(
  (
    'lint linter linters linting style flake8 pylint mypy pep8 isort rubocop standardrb eslint tslint jshint prettier golint ' +
    'golangci-lint gofmt clippy rustfmt checkstyle spotbugs findbugs pmd ktlint detekt phpcs php-cs-fixer phpstan psalm ' +
    'clang-format clang-tidy cppcheck'
  ).split(' '),
);
/** Words that a title may have beside the tool. */
const OTHERS = new Set(
  (
    'fix fixes fixed fixing resolve resolves resolved address silence satisfy correct clean cleanup please make happy the all ' +
    'some more new few minor various remaining up and code coding standard standards compliance offense offenses offence ' +
    'offences warning warnings error errors issue issues violation violations complaint complaints failure failures problem ' +
    'problems nit nits check checks'
  ).split(' '),
);
const PREPOSITIONS = new Set(['in', 'from', 'by', 'with']);

/**
 * Returns true for titles such as `style: …`, `flake8` and `Fix RuboCop offenses in lib`. False if the title says anything else,
 * as `Fix crash in pylint` does.
 */
export function isLintTitle(title: string): boolean {
  if (/^style(?:\([^()]{1,60}\))?!?:/i.test(title)) return true;
  const words = title.toLowerCase().match(/[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*/gu) ?? [];
  const end = words.findIndex((word) => PREPOSITIONS.has(word));
  const said = end < 0 ? words : words.slice(0, end);
  return (
    said.some((word) => TOOLS.has(word)) &&
    said.every((word) => TOOLS.has(word) || OTHERS.has(word))
  );
}
