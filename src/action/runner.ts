/** Interface of a GitHub Actions runner: inputs, the event, outputs, the summary and messages. */
import { appendFileSync } from 'node:fs';
import type { Environment } from '../base/environment.ts';
import { parseBounded } from '../base/json.ts';
import { FileTooLarge, readWholeFile } from '../base/named-file.ts';
import { badInput } from '../shared/errors.ts';
import { escapeHidden, stringifySafely } from '../shared/quote.ts';

/** GitHub sends no larger event. */
const MAX_EVENT_BYTES = 25_000_000;
const EVENT_LIMITS = { maxDepth: 100, maxValues: 1_000_000 };

/** Reason why an issue gets no comment. It ends the step with success. */
export class SkippedIssue extends Error {}

export class Runner {
  readonly env: Environment;
  readonly #print: (line: string) => void;

  constructor(env: Environment, print: (line: string) => void = console.log) {
    this.env = env;
    this.#print = print;
  }

  /** Returns an input of the step; empty if it is missing. */
  getInput(name: string): string {
    return this.env[`INPUT_${name.toUpperCase()}`]?.trim() ?? '';
  }

  /** Returns a variable that every runner sets. @throws LocusError `bad-input` if it is missing */
  getVariable(name: string): string {
    const value = this.env[name];
    if (value) return value;
    throw badInput(
      `The environment variable ${name} is missing.`,
      'Run this as a step of a workflow on GitHub Actions.',
    );
  }

  /** Reads the event that started the workflow. @throws LocusError `bad-input` if it is unreadable */
  async readEvent(): Promise<unknown> {
    const path = this.getVariable('GITHUB_EVENT_PATH');
    const unreadable = (why: string, cause?: unknown) =>
      badInput(`The event in ${path} is unreadable: ${why}.`, 'Run the workflow again.', { cause });
    try {
      const bytes = await readWholeFile(path, { maxBytes: MAX_EVENT_BYTES });
      const event = parseBounded(bytes, EVENT_LIMITS);
      if (event !== undefined) return event;
    } catch (error) {
      const why = error instanceof FileTooLarge ? 'it is too large' : 'the file cannot be read';
      throw unreadable(why, error);
    }
    throw unreadable('it is not JSON');
  }

  /** Sets an output of the step: a text, or any other value as JSON on one line. */
  setOutput(name: string, value: unknown): void {
    const text = typeof value === 'string' ? escapeHidden(value) : stringifySafely(value, 0);
    this.#append('GITHUB_OUTPUT', `${name}=${text}`);
  }

  /** Adds a line of Markdown to the summary of the job. */
  summarize(line: string): void {
    this.#append('GITHUB_STEP_SUMMARY', `${line}\n`);
    this.note(line);
  }

  /** Prints a line to the log. */
  note(line: string): void {
    this.#print(escapeLogLine(line));
  }

  warn(message: string): void {
    this.#print(`::warning::${escapeData(message)}`);
  }

  fail(message: string): void {
    this.#print(`::error::${escapeData(message)}`);
  }

  #append(variable: string, line: string): void {
    const path = this.env[variable];
    if (path) appendFileSync(path, `${line}\n`);
  }
}

/** Escapes the text of a command for the runner. */
const escapeData = (text: string): string => escapeHidden(text).replaceAll('%', '%25');

/** Formats a line for the log so that the runner finds no command in it: they start with `::`, or contain `##[`. */
const escapeLogLine = (line: string): string =>
  `Locus: ${escapeHidden(line).replaceAll('##[', '## [')}`;
