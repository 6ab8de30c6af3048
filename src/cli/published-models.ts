/** Implements `locus models add` and `remove` for encoders and rerankers of other publishers. */
import { prepareDataDirectory } from '../services/locations.ts';
import { addPublishedModel } from '../services/published-models/add.ts';
import type { ModelPlan } from '../services/published-models/plan.ts';
import { badInput } from '../shared/errors.ts';
import { escapeHidden, quoteName } from '../shared/quote.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { type AddCliOptions, createReporter, parseDigest } from './language-models.ts';
import { ask, canAsk } from './question.ts';
import type { Session } from './session.ts';
import { formatBytes } from './terminal.ts';

export interface AddPublishedCliOptions extends AddCliOptions {
  recipe?: string;
  file?: string;
  yes?: boolean;
}

/** @throws LocusError as `addPublishedModel`; `bad-input` without consent */
export async function addPublished(
  session: Session,
  source: string,
  options: AddPublishedCliOptions,
  dataDirectory: string | undefined,
): Promise<ExitCode> {
  const { name = null, recipe = null, file = null } = options;
  const sha256 = parseDigest(options.sha256);
  const url = /^[a-z]+:\/\//i.test(source) ? URL.parse(source) : null;
  const { manifest, folder } = await addPublishedModel({
    ...{ dataDir: prepareDataDirectory(dataDirectory), source: url ?? source },
    ...{ sha256, name, recipe, file, signal: session.host.signal },
    confirm: (plan) => confirm(session, plan, options.yes ?? false),
    onProgress: createReporter(session, 'downloaded'),
  });
  const { id, version, role } = manifest;
  session.printResult({ model: { id, version, role, folder } }, () => [
    `${quoteName(id)} is added, and works.`,
    session.colors.dim(`Use it with locus models use ${quoteName(id)}.`),
  ]);
  return EXIT.ok;
}

/** Shows what would be added, and asks. @throws LocusError `bad-input` without consent */
async function confirm(session: Session, plan: ModelPlan, isAgreed: boolean): Promise<void> {
  const { id, recipe, license, bytes } = plan;
  const facts = [
    quoteName(id),
    formatBytes(bytes),
    `license ${license === null ? 'unknown' : quoteName(license)}`,
    recipe ? `recipe ${recipe.name} (${recipe.page})` : 'with a manifest of its own',
  ];
  session.note(`locus: ${escapeHidden(facts.join(' · '))}`);
  if (isAgreed) return;
  if (canAsk(session)) {
    const answer = await ask(session.host, 'Add this model? [y/N] ');
    if (answer === 'y' || answer === 'yes') return;
  }
  throw badInput('The model was not added.', 'To agree to its license, add --yes.');
}
