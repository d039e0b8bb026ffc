/** What Hermes says to the model on its own behalf. */
export const NUDGES = {
  budget: (limit: number) =>
    `[Hermes] This turn has used its ${limit} calls. Do not call any more tools. Tell the user what was done, what was found, and what is left.`,
  circle:
    '[Hermes] The same call keeps giving the same result. Do not call any more tools. Tell the user what you found and what stands in the way.',
  badCalls:
    '[Hermes] Several calls in a row could not be run. Do not call any more tools. Answer with what you know.',
  again: '[Hermes] This call was made before with the same result. Try something else.',
  empty: '[Hermes] Your answer was empty. Answer the user now.',
  continue: '[Hermes] Your answer was cut off by its length limit. Go on exactly where it stopped.',
  notRun: 'Not run: this turn was closing.',
  interrupted: 'Not known: Hermes stopped before this call had a result.',
  steering: (text: string) => `[The user adds] ${text}`,
} as const;
