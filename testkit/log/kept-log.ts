import type { LogAbout, LogEvent, LogLevel } from '#spec/data';
import type { Logger } from '#spec/ports';

export interface KeptLine extends LogAbout {
  readonly level: LogLevel;
  readonly event: LogEvent;
  readonly [field: string]: unknown;
}

/** A logger that keeps its lines, as they were told, for a test to read. */
export function keptLog(): Logger & { readonly lines: readonly KeptLine[] } {
  const lines: KeptLine[] = [];
  return { ...keeping(lines, {}), lines };
}

function keeping(lines: KeptLine[], about: LogAbout): Logger {
  const teller =
    (level: LogLevel): Logger['info'] =>
    (event, fields) =>
      void lines.push({ ...about, ...fields, level, event });
  return {
    debug: teller('debug'),
    info: teller('info'),
    warn: teller('warn'),
    error: teller('error'),
    child: (more) => keeping(lines, { ...about, ...more }),
  };
}
