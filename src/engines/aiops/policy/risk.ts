import { type Operation, type Risk, RISKS } from '#spec/data';
import { definitionOf } from '#spec/data/operations';

export const riskOf = (operation: Operation): Risk => definitionOf(operation).risk;

/** Grows with the risk. */
export const riskRank = (risk: Risk): number => RISKS.indexOf(risk);
