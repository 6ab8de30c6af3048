/** Asks a language model about candidates, in one request or two, and merges its answers into one order. */
import type { ChunkAddress } from '../../shared/address.ts';
import type { CheckedChunk, CheckFusion, CheckOutcome, CheckSettings } from '../../shared/check.ts';
import type { RankedChunk } from '../../shared/search.ts';
import { type Answer, parseAnswer } from './answer.ts';
import { type Candidate, type CheckableRanking, describeCandidates } from './candidates.ts';
import { countCharacters, EndpointFailure, type LanguageModel } from './client.ts';
import {
  type AnswerTraits,
  fuseOrders,
  getWeight,
  measureAnswer,
  START_TRUST,
  updateTrust,
} from './fuse.ts';
import { listSecondCandidates, MAX_SECOND, wantsMore } from './look-again.ts';
import { buildAnswerSchema, buildPrompt, type PromptBuilder } from './prompt.ts';
import { chooseSizes } from './sizes.ts';
import type { StoredAnswers } from './stored-answers.ts';

export interface AskOptions {
  settings: CheckSettings;
  /** Answers to use instead of asking again. */
  answers?: StoredAnswers | undefined;
  signal: AbortSignal;
  /** Builds the requests; `buildPrompt` by default. */
  build?: PromptBuilder;
}

/** A request with its answer. */
export interface Round {
  candidates: readonly Candidate[];
  answer: Answer;
  /** Characters of the request. */
  request: number;
  /** Evidence for or against the model. The scores of a second request's candidates cannot be compared: its agreement is the first's. */
  traits: AnswerTraits;
  /** Trust in the model before this check, and after this answer. */
  before: number;
  trust: number;
  /** Failure that cut the answer off, which then holds what had arrived; null for a whole answer. */
  cutOff: EndpointFailure | null;
}

export interface Question {
  /** Text of the issue, already shortened. */
  issue: string;
  candidates: readonly Candidate[];
  /** The round before a second one, in which nothing more can be added. */
  earlier?: Round;
}

/** Asks about the candidates, and again with more of them if the model misses code. A failure ends it, with the rounds before. */
export async function askInRounds(
  client: LanguageModel,
  ranking: CheckableRanking,
  first: Question,
  options: AskOptions,
): Promise<{ rounds: Round[]; failure: EndpointFailure | null }> {
  const rounds: Round[] = [];
  try {
    const round = await ask(client, first, options);
    rounds.push(round);
    if (options.settings.lookAgain && wantsMore(round.answer)) {
      const again = await describeAgain(ranking, round, options.settings);
      if (again) rounds.push(await ask(client, { ...again, earlier: round }, options));
    }
    return { rounds, failure: null };
  } catch (error) {
    if (error instanceof EndpointFailure) return { rounds, failure: error };
    throw error;
  }
}

/** Describes the candidates of the second request; null if there is nothing to add. */
async function describeAgain(
  ranking: CheckableRanking,
  { candidates, answer }: Round,
  settings: CheckSettings,
): Promise<Question | null> {
  const asked = candidates.map(({ chunk }) => chunk);
  const results = await listSecondCandidates(ranking, asked, answer);
  return (
    results && describeRanking({ ...ranking, results }, { ...settings, candidates: MAX_SECOND })
  );
}

/** Asks the model, once more if its answer has no id. An answer that was cut off is used but not stored. */
async function ask(
  client: LanguageModel,
  { issue, candidates, earlier }: Question,
  { settings, answers, signal, build: builder = buildPrompt }: AskOptions,
): Promise<Round> {
  const build = () => builder(issue, candidates, earlier !== undefined);
  const count = candidates.length;
  const messages = build();
  const request = countCharacters(messages);
  // Models of one name at two addresses may differ.
  const model = `${settings.model} ${client.identity ?? settings.address.trim()}`;
  const stored = answers?.find(model, messages) ?? null;
  const known = stored === null ? null : parseAnswer(stored, count);
  const before = earlier?.before ?? answers?.getLastTrust(model) ?? START_TRUST;
  const judge = (answer: Answer) => {
    const own = measureAnswer(candidates, answer);
    const traits = earlier ? { ...own, agreement: earlier.traits.agreement } : own;
    return { candidates, answer, request, traits, before, trust: updateTrust(before, traits) };
  };
  if (stored !== null && known) {
    // With the trust of that time, so that the order stays.
    const judged = judge(known);
    const trust = answers?.findTrust(model, messages) ?? null;
    if (trust === null) answers?.add(model, messages, stored, judged.trust);
    return { ...judged, trust: trust ?? judged.trust, cutOff: null };
  }
  let failure: EndpointFailure | null = null;
  for (let attempt = 0; attempt < 2; attempt++) {
    // With new marks, so that a model that repeats itself may answer otherwise.
    const prompt = build();
    const schema = buildAnswerSchema(count);
    const asked = await client.ask(prompt, schema, signal).catch(returnIfPartial);
    const [text, cutOff] = typeof asked === 'string' ? [asked, null] : [asked.partial, asked];
    const answer = parseAnswer(text, count);
    failure = cutOff;
    if (!answer) continue;
    const judged = judge(answer);
    if (cutOff === null) answers?.add(model, prompt, text, judged.trust);
    return { ...judged, cutOff };
  }
  throw (
    failure ??
    new EndpointFailure(
      'The model’s answers name none of the functions.',
      'Choose another model: this one does not follow the format of the answer.',
    )
  );
}

/** Returns a failure in the middle of an answer. Throws any other error. */
function returnIfPartial(error: unknown): EndpointFailure {
  if (error instanceof EndpointFailure && error.partial !== '') return error;
  throw error;
}

/**
 * Weighs the model's order by what its last answer shows.
 * @param weight instead of the one that it has earned
 */
export function weighRounds(rounds: readonly Round[], weight?: number): CheckFusion | undefined {
  const [first] = rounds;
  const last = rounds.at(-1);
  if (!first || !last) return undefined;
  const order = first.answer.order.flatMap((index) => first.candidates[index]?.chunk.rank ?? []);
  return { ...last.traits, order, weight: weight ?? getWeight(last.trust, last.traits) };
}

/**
 * Combines the order of the list with the model's: that of its last answer, then of the one before. What a second request found
 * is behind the candidates of the first in the list.
 * @param results of the list
 * @param candidates of the first request
 * @param weight of the model's order, from 0 to 1
 */
export function orderChunks(
  results: readonly RankedChunk[],
  candidates: readonly Candidate[],
  rounds: readonly Pick<Round, 'candidates' | 'answer'>[],
  weight: number,
): Pick<CheckOutcome, 'chunks' | 'added' | 'asked'> {
  const ranks = new Map(results.map(({ address, rank }) => [address, rank]));
  const ordered = new Map<ChunkAddress, RankedChunk>();
  const reasons = new Map<ChunkAddress, string | undefined>();
  for (const { candidates: asked, answer } of rounds.toReversed())
    for (const index of answer.order) {
      const chunk = asked[index]?.chunk;
      if (chunk && !ordered.has(chunk.address)) ordered.set(chunk.address, chunk);
    }
  for (const { candidates: asked, answer } of rounds)
    for (const [index, { chunk }] of asked.entries())
      reasons.set(chunk.address, answer.edits.get(index));
  const first = new Map(candidates.map(({ chunk }) => [chunk.address, chunk]));
  const added = [...ordered.values()].filter(({ address }) => !first.has(address));
  const all = [...first.keys(), ...added.map(({ address }) => address)];
  const indexes = new Map(all.map((address, at) => [address, at]));
  const order = Array.from(ordered.keys(), (address) => indexes.get(address) ?? 0);
  const chunks = fuseOrders(all.length, order, weight).map((index, at): CheckedChunk => {
    const address = all[index] as ChunkAddress;
    const reason = reasons.get(address);
    return {
      address,
      isEdit: reason !== undefined,
      reason: reason ?? '',
      from: ranks.get(address) ?? null,
      to: at + 1,
      ...(!first.has(address) && { isAdded: true }),
    };
  });
  return {
    chunks,
    asked: [...new Set([...first.keys(), ...reasons.keys()])],
    added,
  };
}

/** Describes an issue and the first results in a length that fits the model. */
export async function describeRanking(ranking: CheckableRanking, settings: CheckSettings) {
  const { repository, issue, results } = ranking;
  const { issue: most, lengths } = chooseSizes(issue.length, results.length, settings);
  const candidates = await describeCandidates(repository, ranking, lengths);
  return { issue: cutMiddle(issue.trim(), most), candidates };
}

/** Returns the beginning and the end of a text that is longer than `most`, in UTF-16 units. */
export function cutMiddle(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = Math.floor((most * 2) / 3);
  const tail = most - head;
  return `${text.slice(0, head)}\n[… ${text.length - most} characters left out …]\n${text.slice(-tail)}`;
}
