import type { CommandJudgement, CommandPlace } from './shell/judgement.ts';

export type { CommandJudgement as Judgement } from './shell/judgement.ts';

/** Says what a command line would do. Its `deny` is a floor that nothing lifts. */
export type Judge = (text: string, place: CommandPlace) => CommandJudgement;
