import type { Announce } from '../demo-event.ts';
import { SERVICE_NAMES } from '../system/service-names.ts';
import { type BookedAlert, createAlertBook, type FoundAlert } from './alert-book.ts';
import { ALERT_RULES } from './alert-rule.ts';
import type { Scraper } from './scraper.ts';
import { type AlertTarget, deliver, webhookPayload } from './webhook.ts';

export interface Evaluator {
  /** To be called after each round of scrapes. */
  evaluate(): Promise<void>;
  firing(): BookedAlert[];
}

const SHORT_SECONDS = 4;
const LONG_SECONDS = 9;
/** A window that is only half there says nothing. */
const LEAST_SCRAPES = 4;
const TIMES = { forMs: 1_500, calmMs: 3_000, repeatMs: 30_000 };

/** Judges the rules over a short and a longer window, and tells the webhook what begins, lasts and ends. */
export function createEvaluator(
  scraper: Scraper,
  target: AlertTarget | undefined,
  announce: Announce,
  signal: AbortSignal,
): Evaluator {
  const book = createAlertBook(TIMES);
  const announced = new Map<string, 'firing' | 'resolved'>();
  const tell = (alert: BookedAlert): void => {
    const state = alert.endsAt === undefined ? 'firing' : 'resolved';
    if (announced.get(alert.fingerprint) === state) return;
    announced.set(alert.fingerprint, state);
    const { alertname: name = '', service = '' } = alert.labels;
    if (state === 'resolved') announce({ type: 'alert.resolved', alert: name, service });
    else
      announce({
        type: 'alert.firing',
        alert: name,
        service,
        summary: alert.annotations['description'] ?? '',
      });
  };
  let delivering = false;

  return {
    evaluate: async () => {
      const now = Date.now();
      book.update(findAlerts(scraper), now);
      const due = book.due(now);
      due.forEach(tell);
      if (delivering) return;
      delivering = true;
      for (const group of groups(due)) {
        const why = target && (await deliver(target, webhookPayload(group), signal));
        if (why === undefined) book.delivered(group, now);
        else if (!signal.aborted) announceUndelivered(group, why, announce);
      }
      delivering = false;
    },
    firing: () => book.firing(),
  };
}

function findAlerts(scraper: Scraper): FoundAlert[] {
  return SERVICE_NAMES.flatMap((service) => {
    if (scraper.known(service, LONG_SECONDS) < LEAST_SCRAPES) return [];
    const short = scraper.view(service, SHORT_SECONDS);
    const long = scraper.view(service, LONG_SECONDS);
    return ALERT_RULES.flatMap((rule) => {
      const lasting = new Set(rule.find(service, long).map(({ labels }) => JSON.stringify(labels ?? {})));
      return rule
        .find(service, short)
        .filter(({ labels }) => lasting.has(JSON.stringify(labels ?? {})))
        .map(({ labels, description }) => ({
          labels: { alertname: rule.name, service, severity: rule.severity, ...labels },
          annotations: { summary: `${service} ${rule.summary}`, description },
        }));
    });
  });
}

function groups(alerts: readonly BookedAlert[]): BookedAlert[][] {
  const byGroup = Map.groupBy(alerts, ({ labels }) => `${labels['alertname']} ${labels['service']}`);
  return [...byGroup.values()];
}

function announceUndelivered(group: readonly BookedAlert[], why: string, announce: Announce): void {
  const { alertname: alert = '', service = '' } = group[0]?.labels ?? {};
  announce({ type: 'alert.undelivered', alert, service, why });
}
