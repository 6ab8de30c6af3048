/** Asks a model, sends the id of its process to the parent, and stays until it is killed: `ask-and-stay.ts <options as JSON>`. */
import { GgufProcess } from '../../src/services/check/gguf-process.ts';

const running = new GgufProcess(JSON.parse(process.argv[2] ?? ''));
const question = { system: '', prompt: 'Rank these.', schema: null, maxTokens: 10 };
await running.ask(question, new AbortController().signal);
process.send?.(running.pid);
process.on('message', () => {});
