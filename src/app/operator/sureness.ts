/**
 * How surely a topic is meant, from 0 to 1: from where on it is answered at all, without a doubt, as one of two wishes, and
 * alone. `npm run bench -- topics` holds out phrasings and tells how many are right from each on.
 */
export const FLOOR = 0.1;
export const UNSURE = 0.18;
export const NEARLY_SURE = 0.3;
export const SURE = 0.45;
