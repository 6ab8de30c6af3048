/**
 * Reads what an agent printed: its answer, the tokens it used and the tools it called. Knows the JSON lines of Claude Code
 * (`--output-format stream-json`), Codex (`exec --json`) and Gemini CLI (`--output-format stream-json`). Any other text is the answer.
 */
import { z } from 'zod';

export interface Transcript {
  answer: string;
  /** Tokens read and written, cached ones included; null if it does not say. */
  tokens: number | null;
  /** Calls of tools; null if it does not say. */
  calls: { tool: string; bytes: number }[] | null;
}

const usage = z.object({
  input_tokens: z.number(),
  output_tokens: z.number(),
  cache_creation_input_tokens: z.number().nullish(),
  cache_read_input_tokens: z.number().nullish(),
});

const block = z.looseObject({ type: z.string() });
const toolUse = z.object({ type: z.literal('tool_use'), id: z.string(), name: z.string() });
const toolResult = z.object({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  content: z.unknown(),
});

/** Events of the three agents, as far as they are read. */
const events = {
  claudeMessage: z.object({
    type: z.enum(['assistant', 'user']),
    message: z.object({ content: z.array(block) }),
  }),
  claudeEnd: z.object({ type: z.literal('result'), result: z.string(), usage: usage.optional() }),
  codexItem: z.object({ type: z.literal('item.completed'), item: block }),
  codexEnd: z.object({ type: z.literal('turn.completed'), usage }),
  geminiCall: z.object({ type: z.literal('tool_use'), tool_name: z.string(), tool_id: z.string() }),
  geminiResult: z.object({
    type: z.literal('tool_result'),
    tool_id: z.string(),
    output: z.unknown(),
  }),
  geminiMessage: z.object({
    type: z.literal('message'),
    role: z.literal('assistant'),
    content: z.string(),
  }),
  geminiEnd: z.object({
    type: z.literal('result'),
    stats: z.object({ total_tokens: z.number() }),
  }),
};

/** Parts of a Codex item that are read. */
const codexMessage = z.object({ type: z.literal('agent_message'), text: z.string() });
const codexCommand = z.object({
  type: z.literal('command_execution'),
  aggregated_output: z.string().nullish(),
});
const codexTool = z.object({
  type: z.literal('mcp_tool_call'),
  server: z.string(),
  tool: z.string(),
  result: z.unknown(),
});

export function readTranscript(output: string): Transcript {
  const reader = new TranscriptReader();
  for (const line of output.split('\n')) reader.read(line);
  return reader.finish(output);
}

class TranscriptReader {
  #answer: string | null = null;
  #tokens: number | null = null;
  #isKnown = false;
  readonly #calls = new Map<string, { tool: string; bytes: number }>();

  read(line: string): void {
    if (!line.startsWith('{')) return;
    let event: unknown;
    try {
      event = JSON.parse(line);
    } catch {
      return; // A line of the answer that begins with a brace.
    }
    this.#readClaude(event);
    this.#readCodex(event);
    this.#readGemini(event);
  }

  finish(output: string): Transcript {
    const calls = this.#isKnown ? [...this.#calls.values()] : null;
    return { answer: this.#answer ?? output, tokens: this.#tokens, calls };
  }

  #call(id: string, tool: string, bytes = 0): void {
    this.#isKnown = true;
    this.#calls.set(id, { tool, bytes });
  }

  #result(id: string, content: unknown): void {
    const call = this.#calls.get(id);
    if (call) call.bytes = countBytes(content);
  }

  #readClaude(event: unknown): void {
    const message = events.claudeMessage.safeParse(event).data?.message;
    if (message) this.#isKnown = true;
    for (const part of message?.content ?? []) {
      const use = toolUse.safeParse(part).data;
      if (use) this.#call(use.id, use.name);
      const result = toolResult.safeParse(part).data;
      if (result) this.#result(result.tool_use_id, result.content);
    }
    const end = events.claudeEnd.safeParse(event).data;
    if (!end) return;
    this.#answer = end.result;
    if (end.usage) this.#tokens = countTokens(end.usage);
  }

  #readCodex(event: unknown): void {
    const item = events.codexItem.safeParse(event).data?.item;
    if (item) this.#isKnown = true;
    const message = codexMessage.safeParse(item).data;
    if (message) this.#answer = message.text;
    const command = codexCommand.safeParse(item).data;
    const id = String(this.#calls.size);
    if (command) this.#call(id, 'sh', countBytes(command.aggregated_output ?? ''));
    const tool = codexTool.safeParse(item).data;
    if (tool) this.#call(id, `${tool.server} ${tool.tool}`, countBytes(tool.result));
    const end = events.codexEnd.safeParse(event).data;
    if (end) this.#tokens = countTokens(end.usage);
  }

  #readGemini(event: unknown): void {
    const call = events.geminiCall.safeParse(event).data;
    if (call) this.#call(call.tool_id, call.tool_name);
    const result = events.geminiResult.safeParse(event).data;
    if (result) this.#result(result.tool_id, result.output);
    const message = events.geminiMessage.safeParse(event).data;
    if (message) {
      this.#isKnown = true;
      this.#answer = (this.#answer ?? '') + message.content;
    }
    const end = events.geminiEnd.safeParse(event).data;
    if (end) this.#tokens = end.stats.total_tokens;
  }
}

const countTokens = (used: z.output<typeof usage>): number =>
  used.input_tokens +
  used.output_tokens +
  (used.cache_creation_input_tokens ?? 0) +
  (used.cache_read_input_tokens ?? 0);

/** Counts the bytes of all texts in a result. */
function countBytes(content: unknown): number {
  if (typeof content === 'string') return Buffer.byteLength(content);
  if (Array.isArray(content)) return content.reduce((sum, part) => sum + countBytes(part), 0);
  if (content === null || typeof content !== 'object') return 0;
  const { text, content: inner } = content as { text?: unknown; content?: unknown };
  return countBytes(text) + countBytes(inner);
}
