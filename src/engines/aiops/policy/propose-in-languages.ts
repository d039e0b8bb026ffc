import type { ProposedAction } from '#spec/data';
import { LANGUAGES, type Language } from '#kit/language';
import { type Proposal, type ProposalInput, proposeAction } from './propose-action.ts';

/** The proposal in the language of the home, with its reasons in the other languages of readers beside them. */
export function proposeInLanguages(input: ProposalInput): Proposal {
  const { language = 'en' } = input;
  const own = proposeAction(input);
  if (!own.action) return own;
  const others = LANGUAGES.filter((other) => other !== language).map(
    (other) => [other, actionsOf(proposeAction({ ...input, language: other }))] as const,
  );
  const worded = (action: ProposedAction): ProposedAction => ({ ...action, said: saidOf(action, others) });
  return { ...own, action: worded(own.action), alternatives: own.alternatives.map(worded) };
}

const actionsOf = (proposal: Proposal): readonly ProposedAction[] =>
  proposal.action ? [proposal.action, ...proposal.alternatives] : [];

/** An id does not depend on the language. */
function saidOf(
  { id }: ProposedAction,
  others: readonly (readonly [Language, readonly ProposedAction[]])[],
): NonNullable<ProposedAction['said']> {
  const said = others.flatMap(([language, actions]) => {
    const same = actions.find((action) => action.id === id);
    if (!same) return [];
    const { reason, dryRunOnly } = same;
    return [[language, { reason, ...(dryRunOnly === undefined ? {} : { dryRunOnly }) }] as const];
  });
  return Object.fromEntries(said);
}
