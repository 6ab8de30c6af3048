/** Spelling of the docs and of strings that people see: American English, with the words below. `npm run lint` runs it. */
import { readFileSync } from 'node:fs';

const { dependencies, devDependencies } = JSON.parse(
  readFileSync(new URL('package.json', import.meta.url), 'utf8'),
);

const FIELD = `callee callees reranker rerank reranked reranking rerankers reranks docstring docstrings bag-of-words softmax logit
  tokenizer tokenizers monorepo monorepos lexer lookups varargs backquotes chunker permalink permalinks`;
const NAMES = `Milvus Gitea Forgejo Codeberg SARIF ONNX usearch Zstandard CUDA Vulkan Chromium Monaco Ollama rubocop`;

export default {
  version: '0.2',
  language: 'en-US',
  files: ['*.md', 'docs/**/*.md'],
  ignorePaths: ['docs/node_modules', 'docs/.vitepress'],
  // Code, links and addresses are not prose.
  ignoreRegExpList: ['`[^`]*`', '/^(```|~~~)[\\s\\S]*?^\\1/gm', '\\]\\([^)]*\\)', '<[^>]*>', '\\b\\w+[._/@-]\\w[\\w./@-]*'],
  words: [FIELD, NAMES].join(' ').split(/\s+/).concat(Object.keys({ ...dependencies, ...devDependencies })),
};
