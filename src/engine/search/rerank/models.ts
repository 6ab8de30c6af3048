import rerankModel from '../../../../models/ranker-1/reranked.json' with { type: 'json' };

/** Model id of each reranker, by the name of its signal. */
export const RERANKER_MODELS = rerankModel.models;

/** Model folder of the reranker, by the name of its signal: of the model that comes with Locus, or of another one. */
export type RerankerFolders = { [Name in keyof typeof RERANKER_MODELS | 'reranker']?: string };
