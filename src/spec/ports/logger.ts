import type { LogAbout, LogEvent, LogEvents } from '#spec/data';

type Tell = <E extends LogEvent>(event: E, fields: LogEvents[E] & LogAbout) => void;

/**
 * What Hermes tells whoever runs it. Nothing here waits or throws, and every line passes the redactor before it is
 * written. A line is about the process; what happened in an incident or a session is a fact of its own.
 */
export interface Logger {
  /** Only of use to find a mistake. */
  readonly debug: Tell;
  /** Something happened as it should. */
  readonly info: Tell;
  /** Something is not as it should be, and work goes on. */
  readonly warn: Tell;
  /** Something that was asked for was not done. */
  readonly error: Tell;
  /** The same log, whose lines all belong to this. */
  child(about: LogAbout): Logger;
}
