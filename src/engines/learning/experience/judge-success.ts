const CORRECTION: readonly RegExp[] = [
  /^(?:no|nope)\b(?![,.]? (?:problem|worries|thanks|thank you|rush|need|hurry|doubt))/i,
  /^(?:wrong|incorrect|undo (?:that|this|it)|revert (?:that|this|it))\b/i,
  /^(?:that|this|it)(?:'s| is| was)? (?:not (?:right|it|correct|what)|wrong|incorrect)\b/i,
  /^(?:that|this|it) (?:didn'?t|did not|doesn'?t|does not) (?:work|help|fix)\b/i,
  /^not what i\b|^(?:it'?s |it is )?still (?:broken|failing|down|wrong|not)\b|^you (?:broke|misunderstood|got it wrong)\b/i,
  /^(?:不对|错了|不是(?:这样|这个|我要)|不行|还是(?:不|没)|没(?:有)?(?:用|生效|解决)|搞错|弄错|你理解错|撤销|别这样)/,
];

/** Whether a message says that what was done before it was wrong. */
export const isCorrection = (text: string): boolean =>
  CORRECTION.some((pattern) => pattern.test(text.trim()));

const GAVE_UP =
  /^(?:sorry|unfortunately|i (?:could not|couldn'?t|was unable|am unable|cannot|can'?t|failed)|unable to|抱歉|对不起|很遗憾|无法|我无法|没能)/i;

/** Whether an answer says of itself that the task was not done. */
export const gaveUp = (answer: string): boolean => GAVE_UP.test(answer.trim());
