import type { IssueSummary } from '../shared/issues.ts';
import { keepLatest } from '../shared/keep-latest.ts';
import type { Issues, SaveOptions } from './issues.ts';

/** Issues of which a window's text is remembered. */
const MOST = 100;

/**
 * What one window knows the texts of issues to be, so that of two windows on one issue neither takes what was written in the
 * other for its own earlier text.
 */
export class IssueTexts {
  readonly #issues: Issues;
  /** By id, the latest last. */
  readonly #known = new Map<string, string>();

  constructor(issues: Issues) {
    this.#issues = issues;
  }

  /** The window was given an issue. */
  given({ id, text }: { id: string; text: string }): void {
    keepLatest(this.#known, id, text, MOST);
  }

  /**
   * Saves what the window has as this issue, see `Issues.save`. Where another window has written something else since, and this
   * one too, its text becomes an issue of its own, with the same marks; where this one has written nothing, the other's stays.
   */
  save(root: string, id: string, text: string, options?: SaveOptions): IssueSummary {
    const known = this.#known.get(id);
    const stored = this.#issues.textOf(id);
    const isOthers = known !== undefined && stored !== null && stored !== known && stored !== text;
    if (isOthers && text === known) return this.#issues.get(id);
    const saved = isOthers
      ? this.#issues.fork(root, id, text, options)
      : this.#issues.save(root, id, text, options);
    this.given({ id: saved.id, text });
    return saved;
  }
}
