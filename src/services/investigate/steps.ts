/** Turns the updates of a session into steps to show, and collects the answer. Everything in them is untrusted. */
import { z } from 'zod';

import type { InvestigationStep } from '../../shared/investigate.ts';

/** Maximum length of a step and of the answer, in characters, and number of steps that are shown. */
const MAX_STEP = 200;
const MAX_ANSWER = 1_000_000;
const MAX_STEPS = 1_000;

const textContent = z.object({ text: z.string() }).transform(({ text }) => text);
const update = z.discriminatedUnion('sessionUpdate', [
  z.object({ sessionUpdate: z.literal('agent_message_chunk'), content: textContent }),
  z.object({ sessionUpdate: z.literal('agent_thought_chunk'), content: textContent }),
  z.object({
    sessionUpdate: z.enum(['tool_call', 'tool_call_update']),
    toolCallId: z.string().max(1_000),
    title: z.string().nullish(),
  }),
  z.object({
    sessionUpdate: z.literal('plan'),
    entries: z.array(z.object({ content: z.string(), status: z.string() })),
  }),
]);
const notification = z.object({ sessionId: z.string(), update });

export class StepReader {
  /** Number of tool calls and refused requests. */
  readonly counts = { toolCalls: 0, refused: 0 };
  readonly #onStep: (step: InvestigationStep) => void;
  readonly #onToolCall: (count: number) => void;
  readonly #calls = new Set<string>();
  #shown = 0;
  #thought = '';
  #answer = '';
  #plan = '';

  /** @param onToolCall called with the number of tool calls after each new one */
  constructor(onStep: (step: InvestigationStep) => void, onToolCall: (count: number) => void) {
    this.#onStep = onStep;
    this.#onToolCall = onToolCall;
  }

  /** Text that the agent wrote since its last tool call. */
  get answer(): string {
    return this.#answer;
  }

  /** Reads the parameters of `session/update`. Ignores those of other sessions, and what it does not know. */
  read(params: unknown, sessionId: string): void {
    const parsed = notification.safeParse(params);
    if (!parsed.success || parsed.data.sessionId !== sessionId) return;
    const { update } = parsed.data;
    if (update.sessionUpdate !== 'agent_thought_chunk') this.#endThought();
    switch (update.sessionUpdate) {
      case 'agent_thought_chunk':
        this.#think(update.content);
        break;
      case 'agent_message_chunk':
        this.#answer = (this.#answer + update.content).slice(-MAX_ANSWER);
        break;
      case 'plan':
        this.#readPlan(update.entries);
        break;
      default:
        this.#readToolCall(update.toolCallId, update.title ?? '');
    }
  }

  /** Counts a tool call that was made by another request of the protocol. */
  countToolCall(text: string): void {
    this.counts.toolCalls++;
    this.#show('tool', text);
    this.#onToolCall(this.counts.toolCalls);
  }

  /** Counts a request that was refused. */
  refuse(text: string): void {
    this.counts.refused++;
    this.#show('refused', text);
  }

  /** Forgets the answer, before a new prompt. */
  startPrompt(): void {
    this.#answer = '';
  }

  #readToolCall(id: string, title: string): void {
    if (this.#calls.has(id)) return;
    this.#calls.add(id);
    this.#answer = '';
    this.countToolCall(title);
  }

  /** Shows the entry that the agent works on, if it is another one than before. */
  #readPlan(entries: readonly { content: string; status: string }[]): void {
    const current = entries.find(({ status }) => status === 'in_progress')?.content ?? '';
    if (current === this.#plan) return;
    this.#plan = current;
    this.#show('plan', current);
  }

  /** Thoughts arrive in pieces, and are shown line by line. */
  #think(text: string): void {
    const lines = (this.#thought + text.slice(0, MAX_ANSWER)).split('\n');
    this.#thought = (lines.pop() ?? '').slice(0, MAX_STEP);
    for (const line of lines.slice(0, MAX_STEPS)) this.#show('thought', line);
  }

  #endThought(): void {
    this.#show('thought', this.#thought);
    this.#thought = '';
  }

  #show(kind: InvestigationStep['kind'], text: string): void {
    const line = text
      .slice(0, 4 * MAX_STEP)
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim();
    if (line === '' || this.#shown >= MAX_STEPS) return;
    this.#shown++;
    this.#onStep({ kind, text: line.slice(0, MAX_STEP) });
  }
}
