import refinedModel from '../../../../models/ranker-1/refined.json' with { type: 'json' };

/** The id of the model of each reranker, by its signal's name. */
export const RERANKER_MODELS = refinedModel.models;

/** The folders of the rerankers' models, by name of the signal, without those that are missing. */
export type RerankerFolders = { [Name in keyof typeof RERANKER_MODELS]?: string };
