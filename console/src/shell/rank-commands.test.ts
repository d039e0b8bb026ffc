import { expect, it } from 'vitest';
import { rankCommands } from './rank-commands.ts';

const command = (label: string) => ({ id: label, label, group: '', run: () => undefined });

it('puts what begins with it first, then what has it, then what has its letters', () => {
  const all = ['Settings', 'Open incidents', 'Incidents', 'I need coffee in bed'].map(command);
  const labels = (typed: string) => rankCommands(all, typed).map(({ label }) => label);
  expect(labels('inci')).toEqual(['Incidents', 'Open incidents', 'I need coffee in bed']);
  expect(labels('zz')).toEqual([]);
  expect(labels(' ')).toHaveLength(4);
});
