import type { Language } from '#spec/data';

/** A tool that is to be called, and with what. */
interface OperatorCall {
  readonly name: string;
  readonly input: object;
}

export interface OperatorResult {
  readonly text: string;
  readonly failed: boolean;
}

/** What is to be said and done about a message, as far as rules can tell. */
export interface OperatorPlan {
  /** Said before what the calls give, and after it. */
  readonly before?: string;
  readonly calls?: readonly OperatorCall[];
  readonly after?: string;
  /** How what the calls gave is shown; as it is, where nothing is said. */
  readonly show?: (results: readonly OperatorResult[]) => string;
  /** What can be asked is to be shown. */
  readonly help?: true;
  /** Nothing here answers it: that needs a model. */
  readonly unable?: true;
}

/** What the built-in operator asks about a message that says nothing word for word. */
export type RouteMessage = (
  text: string,
  /** Given where the text is run as a command: wanted is what the machine itself says about the same, in this language. */
  command?: Language,
) => Promise<OperatorPlan | undefined>;
