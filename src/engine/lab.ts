/**
 * Parts of the engine that the lab measures and trains, and that scripts use. They may change with any experiment; the app uses
 * `index.ts`.
 */

export { createEncoder } from './encode/encoder.ts';
export { batches, createInputs, rowKeys } from './encode/inputs.ts';
export { bag } from './encode/kinds/bag.ts';
export { KINDS } from './encode/kinds/index.ts';
export { loadManifest, type Manifest, modelKey } from './encode/manifest.ts';
export { type LoadedModel, loadInRuntime, openModel } from './encode/model.ts';
export { ModelFiles } from './encode/model-files.ts';
export * as ort from './encode/onnxruntime.ts';
export { sharedEncoder } from './encode/shared-encoder.ts';
export type { Encoder, EncoderDocument, EncoderRow, InputMaker } from './encode/types.ts';
export { asciiWords, Vocabulary, WORD_PATTERN } from './encode/words.ts';
export { finish } from './event-loop/stepwise.ts';
export { sampleTerms, type TermSample, wordsToAsk } from './fleet-rows/frequencies.ts';
export { readRowContents } from './fleet-rows/index-rows.ts';
export { createResolver, ModuleGraph } from './graph/resolver.ts';
export type { CallResolver, GraphFile, ResolvedEdge } from './graph/types.ts';
export { OpenDefinitions } from './history/edited-file.ts';
export {
  type Candidate,
  type HistoryFilter,
  judge,
  judgeFix,
  type Rejection,
} from './history/fix-candidates.ts';
export { type Patch, patchesOf } from './history/fix-patches.ts';
export { HistoryIndex, namesInDiffs } from './history/history-index.ts';
export { boundaryAt } from './history/outline.ts';
export { CommitReader, readCommits } from './history/read-commits.ts';
export { describeCommits, describeThese, listCommits, mainlineOf } from './history/read-history.ts';
export type { Commit } from './history/types.ts';
export { readIssue } from './issue/issue.ts';
export { type EncoderQuery, queryOf } from './issue/queries.ts';
export type { FileFacts, ImportFact } from './languages/facts.ts';
export {
  accepts,
  indexes,
  issueSyntaxes,
  languageNamed,
  languageOf,
  languages,
  languagesDigest,
  manifestLanguageOf,
} from './languages/index.ts';
export type { GraphRules, Language, TracebackFrame } from './languages/language.ts';
export type { Module, ModuleResolver } from './languages/modules.ts';
export { LexicalIndex, type TermIds } from './lexical/lexical-index.ts';
export { countTerms, FIELD_NAMES, queryTerms } from './lexical/tokenize.ts';
export { chunkSource } from './parse/chunk.ts';
export { grammarOf } from './parse/grammar.ts';
export { COLLECTED_GRAMMARS, GRAMMAR_COLLECTION, locateGrammar } from './parse/grammar-file.ts';
export { parseFile } from './parse/parse-file.ts';
export { ParserPool, type PooledFile, type SourceFile } from './parse/pool.ts';
export type { ParsedChunk } from './parse/types.ts';
export { withLateReferences } from './pipeline/facts-reader.ts';
export { MAX_COMMITS } from './pipeline/history-stage.ts';
export { explain } from './search/explain/explain.ts';
export { type Candidates, gather, gatherCandidates } from './search/gather/gather.ts';
export { resolveIssue } from './search/gather/issue.ts';
export { type Marks, NO_MARKS } from './search/gather/marks.ts';
export { encodeIssue, type QueryVectors, queryWords } from './search/gather/query.ts';
export {
  type Calibration,
  CONFIDENCE_NAMES,
  type ConfidenceEvidence,
  estimateConfidence,
  evidenceOfConfidence,
} from './search/rank/confidence.ts';
export {
  checkLinearModel,
  type LinearModel,
  LinearRanker,
  standardize,
} from './search/rank/linear.ts';
export { measureSignals, rank, SIGNALS } from './search/rank/rank.ts';
export { firstSlots, getSlot, type Ranking } from './search/rank/ranking.ts';
export { MARK_SIGNALS } from './search/rank/signals/marks.ts';
export { RERANKER_MODELS } from './search/rerank/models.ts';
export { openRerankers, RERANK_SIGNALS, RerankStep } from './search/rerank/rerank.ts';
export { scoreInOrder } from './search/rerank/reranker.ts';
export { find } from './search/search.ts';
export { computeStanding } from './search/workspace.ts';
export { summaryOf } from './snapshot/address.ts';
export { CALLEE_CHARACTERS, calleeSlots, encoderDocument } from './snapshot/encoder-document.ts';
export { inCallOrder, isContext, MAX_CALLEES } from './snapshot/graph-context.ts';
export { LiveSnapshot } from './snapshot/live-snapshot.ts';
export { RepositoryIndex } from './snapshot/repository-index.ts';
export type { SearchIndex } from './snapshot/types.ts';
export { declaredBy } from './source/attributes.ts';
export { openTree } from './source/open.ts';
export { roleOf } from './source/role.ts';
export type { SourceEntry, SourceTree } from './source/types.ts';
export { Store } from './store/store.ts';
export { largest } from './vectors/largest.ts';
export { VectorTable } from './vectors/vector-table.ts';
