import { fail } from '#kit/app-error';
import type { AnchoredHead, HeadAnchor } from '#spec/ports';

const TIMEOUT_MS = 5_000;

/** One log record a head, over OTLP/HTTP in JSON. */
export const otlpAnchor = (url: string): HeadAnchor => ({
  tell: async (head) => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(recordOf(head)),
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch((cause: unknown) => {
      throw fail('backend.unreachable', `${new URL(url).host} cannot be reached.`, undefined, cause);
    });
    await answer.body?.cancel();
    if (!answer.ok) throw fail('backend.refused', `${new URL(url).host} answered ${answer.status}.`);
  },
});

const text = (key: string, value: string) => ({ key, value: { stringValue: value } });

const recordOf = ({ at, home, seq, hash }: AnchoredHead) => ({
  resourceLogs: [
    {
      resource: { attributes: [text('service.name', 'hermes')] },
      scopeLogs: [
        {
          scope: { name: 'hermes.audit' },
          logRecords: [
            {
              timeUnixNano: `${Date.parse(at)}000000`,
              severityNumber: 9,
              severityText: 'INFO',
              body: { stringValue: `audit head ${seq} ${hash}` },
              attributes: [
                text('audit.home', home),
                { key: 'audit.seq', value: { intValue: String(seq) } },
                text('audit.hash', hash),
              ],
            },
          ],
        },
      ],
    },
  ],
});
