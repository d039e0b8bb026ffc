import type { Alert } from '#spec/data';

/** From here on a service has said enough to be believed: a lone lesser alert is often noise. */
export const ENOUGH_HEARD = 2;

/** What an alert adds to what is heard of its service: a grave one stands for itself. */
export const heardIn = ({ severity }: Pick<Alert, 'severity'>): number =>
  severity === 'P1' || severity === 'P2' ? ENOUGH_HEARD : 1;
