import type { Language } from '#kit/language';
import type { Evidence, Hypothesis, ProposedAction } from '#spec/data';

/** Sentences of records, in the language of the reader as far as the record has it. */
export const summaryFor = (
  { summary, said }: Pick<Evidence, 'summary' | 'said'>,
  language: Language,
): string => (language === 'en' ? undefined : said?.[language]) ?? summary;
export const whyFor = ({ why, said }: Pick<Hypothesis, 'why' | 'said'>, language: Language): string =>
  summaryFor({ summary: why, said }, language);

/** The reason of an action, and why it is only rehearsed. */
export const actionFor = (
  action: Pick<ProposedAction, 'reason' | 'dryRunOnly' | 'said'>,
  language: Language,
): Pick<ProposedAction, 'reason' | 'dryRunOnly'> => action.said?.[language] ?? action;
