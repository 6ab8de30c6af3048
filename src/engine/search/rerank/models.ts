import rerankModel from '../../../../models/ranker-1/reranked.json' with { type: 'json' };

/** Model id of each reranker, by the name of its signal. */
export const RERANKER_MODELS = rerankModel.models;

/** Model folder of each reranker, by the name of its signal. A missing model has no entry. */
export type RerankerFolders = { [Name in keyof typeof RERANKER_MODELS]?: string };
