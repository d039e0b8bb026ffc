import { z } from 'zod';
import type { WebAnswer } from '#spec/ports';

/** What a web client may tell of the connection beyond the port; a check does without where it does not. */
const Facts = z.object({
  address: z.string(),
  dnsMs: z.number(),
  connectMs: z.number(),
  tls: z
    .object({ protocol: z.string(), subject: z.string(), issuer: z.string(), validTo: z.string() })
    .optional(),
});

export function connectionFacts(answer: WebAnswer): z.infer<typeof Facts> | undefined {
  return 'connection' in answer ? Facts.safeParse(answer.connection).data : undefined;
}
