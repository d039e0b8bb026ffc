import type { Incident, Prior, Rca } from '#spec/data';
import type { AskModel } from '#spec/ports';
import type { Language } from '#kit/language';

export interface ExplainRequest {
  readonly incident: Pick<Incident, 'id' | 'title' | 'severity' | 'service' | 'startsAt'>;
  readonly rca: Rca;
  readonly priors: readonly Prior[];
  readonly ask: AskModel;
  readonly language: Language;
  readonly signal: AbortSignal;
  /** Services that are known to exist, for the guard. */
  readonly services?: readonly string[];
}
