import { defineSandbox } from '#spec/ports';
import { DaytonaOptions, daytonaMissing, openDaytona } from './daytona-sandbox.ts';

export const sandbox = defineSandbox<DaytonaOptions>({
  type: 'daytona',
  options: DaytonaOptions,
  available: (_options, place) => Promise.resolve(daytonaMissing(place)),
  open: openDaytona,
});
