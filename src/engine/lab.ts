/**
 * Parts of the engine that the lab measures and trains, and that scripts use. They may change with any experiment; the app uses
 * `index.ts`.
 */

export { createEncoder } from './encode/encoder.ts';
export { createInputs, createKeyFunction, groupIntoBatches } from './encode/inputs.ts';
export { bag } from './encode/kinds/bag.ts';
export { KINDS } from './encode/kinds/index.ts';
export {
  getModelKey,
  KIND_MANIFESTS,
  loadManifest,
  type ModelManifest,
} from './encode/manifest.ts';
export { type LoadedModel, loadInRuntime, openModel } from './encode/model.ts';
export { ModelFiles } from './encode/model-files.ts';
export * as ort from './encode/onnxruntime.ts';
export { acquireSharedEncoder } from './encode/shared-encoder.ts';
export type { Encoder, EncoderDocument, EncoderRow, InputMaker } from './encode/types.ts';
export { createAsciiReader, Vocabulary, WORD_PATTERN } from './encode/words.ts';
export { runToEnd } from './event-loop/stepwise.ts';
export { chooseQueryWords, sampleTerms, type TermSample } from './fleet-rows/frequencies.ts';
export { readRowContents } from './fleet-rows/index-rows.ts';
export { createCallResolver, RepositoryGraph } from './graph/repository-graph.ts';
export type { CallResolver, GraphFile, ResolvedEdge } from './graph/types.ts';
export { OpenDefinitions } from './history/edited-file.ts';
export type { FixCandidate, HistoryFilter, Rejection } from './history/fix-candidates.ts';
export { type FixPatch, readFixPatches } from './history/fix-patches.ts';
export { HistoryIndex, listDiffNames } from './history/history-index.ts';
export { type FixedIssue, type JudgedHistory, judgeHistory } from './history/judge-history.ts';
export { findBoundary } from './history/outline.ts';
export { CommitReader, readCommits } from './history/read-commits.ts';
export { listCommits, listMainline } from './history/read-history.ts';
export type { Commit } from './history/types.ts';
export { type Issue, readIssue } from './issue/issue.ts';
export {
  createIssueQuery,
  createProseQuery,
  createTextQuery,
  type EncoderQuery,
} from './issue/queries.ts';
export { BUNDLED_GRAMMARS, GRAMMAR_COLLECTIONS } from './languages/collected-grammars.ts';
export type { FileFacts, ImportFact } from './languages/facts.ts';
export {
  computeLanguagesDigest,
  findLanguage,
  findManifestLanguage,
  getIssueSyntaxes,
  getLanguage,
  getLanguages,
  isIndexedPath,
  isSourcePath,
} from './languages/index.ts';
export type { GraphRules, Language, TracebackFrame } from './languages/language.ts';
export type { ModuleResolver, RepositoryModule } from './languages/modules.ts';
export { LexicalIndex, type TermLookup } from './lexical/lexical-index.ts';
export { countQueryTerms, countTerms, FIELD_NAMES } from './lexical/tokenize.ts';
export { Packages } from './packages/packages.ts';
export { chunkSource } from './parse/chunk.ts';
export { loadGrammar } from './parse/grammar.ts';
export { listInstalledGrammars, resolveGrammarFile } from './parse/grammar-file.ts';
export { unpackFile } from './parse/packed-file.ts';
export { parseFile } from './parse/parse-file.ts';
export {
  ParserPool,
  type SourceFile,
  type UnpackedPooledFile as ParsedSource,
} from './parse/pool.ts';
export { createSections } from './parse/sections.ts';
export type { ParsedChunk } from './parse/types.ts';
export { MAX_COMMITS } from './pipeline/history-stage.ts';
export { withLazyReferences } from './pipeline/lazy-references.ts';
export { explain } from './search/explain/explain.ts';
export { type Candidates, gather, gatherCandidates } from './search/gather/gather.ts';
export { resolveIssue } from './search/gather/issue.ts';
export { type MarkedSlots, NO_MARKS } from './search/gather/marks.ts';
export { followHistory } from './search/gather/past-commits.ts';
export { buildQueryWords, encodeIssue, type QueryVectors } from './search/gather/query.ts';
export { findPointedSections } from './search/gather/sections.ts';
export {
  type Calibration,
  CONFIDENCE_NAMES,
  type ConfidenceEvidence,
  estimateConfidence,
  measureConfidenceEvidence,
} from './search/rank/confidence.ts';
export {
  checkLinearModel,
  type LinearModel,
  LinearRanker,
  standardize,
} from './search/rank/linear.ts';
export { measureSignals, rank, SIGNALS } from './search/rank/rank.ts';
export { getSlot, listFirstSlots, type Ranking } from './search/rank/ranking.ts';
export { MARK_SIGNALS } from './search/rank/signals/marks.ts';
export { RERANKER_MODELS } from './search/rerank/models.ts';
export { openRerankers, RERANK_SIGNALS, RerankStep } from './search/rerank/rerank.ts';
export { scoreInOrder } from './search/rerank/reranker.ts';
export { rankChunks } from './search/search.ts';
export { computeCalibratedScore } from './search/workspace.ts';
export { findSectionForm } from './sections/forms.ts';
export { summarizeChunk } from './snapshot/address.ts';
export {
  buildEncoderDocument,
  CALLEE_CHARACTERS,
  getContextCallees,
} from './snapshot/encoder-document.ts';
export { isContextEdge, MAX_CALLEES, sortByCallSite } from './snapshot/graph-context.ts';
export { LiveSnapshot } from './snapshot/live-snapshot.ts';
export { RepositoryIndex } from './snapshot/repository-index.ts';
export type { SearchIndex } from './snapshot/types.ts';
export { createTraitsReader } from './source/attributes.ts';
export { openTree } from './source/open.ts';
export { inferRole } from './source/role.ts';
export type { SourceEntry, SourceTree } from './source/types.ts';
export { Store } from './store/store.ts';
export { findLargest } from './vectors/largest.ts';
export { VectorTable } from './vectors/vector-table.ts';
