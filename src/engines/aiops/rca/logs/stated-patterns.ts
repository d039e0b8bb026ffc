import type { IncidentBundle } from '#spec/data';

/** A group of log lines that the alert itself brought along. */
export interface StatedPattern {
  /** How many more, or fewer, than before. */
  readonly change: number;
  readonly bad: boolean;
  readonly service: string | undefined;
  readonly template: string;
}

const LINE = /^([+-]\d+)\s*(?:\(now \d+\))?\s*(negative|neutral|positive)?\s+(?:([\w./:-]+):\s+)?(.+)$/;

/** The annotation `log_patterns`: `+318 (now 318) negative payment: panic: …`, one pattern a line. */
export function statedPatterns({ annotations }: IncidentBundle): StatedPattern[] {
  return (annotations['log_patterns'] ?? '').split('\n').flatMap((line) => {
    const [, change, tone, service, template] = LINE.exec(line.trim()) ?? [];
    if (change === undefined || template === undefined) return [];
    return [{ change: Number(change), bad: tone === 'negative', service, template }];
  });
}
