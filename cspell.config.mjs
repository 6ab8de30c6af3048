/** Spelling of the docs: American English, the packages that the project uses, and the words below. `npm run lint` runs it. */
import { readFileSync } from 'node:fs';

const { dependencies, devDependencies } = JSON.parse(
  readFileSync(new URL('package.json', import.meta.url), 'utf8'),
);

const FIELD = `callee callees reranker rerank reranked reranking rerankers reranks docstring docstrings softmax logit logits tokenizer
  tokenizers monorepo monorepos lexer varargs backquote backquotes chunker permalink permalinks bfloat goroutines keymaps
  pretrained reindented streamable venv bubblewrap`;
const NAMES = `ANTLR BLAS Nomic Qwen Jina Salesforce CORI Chromium Codeberg CUDA Forgejo GGUF Ghostty Gitea HNSW Junie Kiro Konsole Milvus Monaco NSIS Ollama ONNX Sigstore winget
  onnxruntime Ptyxis SARIF Symfony Sympy VNNI Vulkan Zstandard glog groff gson jshell kombu pytest rubocop semble aiohttp usearch zstd alamofire ecto fastapi fmtlib
  ktor libuv pydantic serde`;
const LITERATURE = `Breiman Callan Carterette Fehr Reddy Rocchio Voorhees Wortsman CIKM EMNLP ICML JASIS SIGIR`;

export default {
  version: '0.2',
  language: 'en-US',
  files: ['*.md', 'docs/**/*.md'],
  ignorePaths: ['docs/node_modules', 'docs/.vitepress'],
  // Code, links and addresses are not prose.
  ignoreRegExpList: ['`[^`]*`', '/^(```|~~~)[\\s\\S]*?^\\1/gm', '\\]\\([^)]*\\)', '<[^>]*>', '\\b\\w+[._/@-]\\w[\\w./@-]*'],
  words: [FIELD, NAMES, LITERATURE].join(' ').split(/\s+/).concat(Object.keys({ ...dependencies, ...devDependencies })),
};
