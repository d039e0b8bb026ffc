import { describe, expect, it } from 'vitest';
import { machineWaits } from './bottleneck.ts';

const pressure = (cpu: number, memory: number, io: number): string[] => [
  `/proc/pressure/cpu:some avg10=0.00 avg60=${cpu} avg300=1.00 total=9`,
  '/proc/pressure/cpu:full avg10=0.00 avg60=0.00 avg300=0.00 total=0',
  '/proc/pressure/memory:some avg10=0.00 avg60=99.00 avg300=0.00 total=9',
  `/proc/pressure/memory:full avg10=0.00 avg60=${memory} avg300=0.00 total=9`,
  '/proc/pressure/io:some avg10=0.00 avg60=99.00 avg300=0.00 total=9',
  `/proc/pressure/io:full avg10=0.00 avg60=${io} avg300=0.00 total=9`,
];
const load = (of: number): string[] => [
  `/proc/loadavg:${of} 4.91 3.95 3/200 123`,
  '/sys/devices/system/cpu/online:0-1,3',
];

describe('machineWaits', () => {
  it.each([
    [pressure(68.6, 0, 0.4), 'cpu'],
    [pressure(30, 12, 8), 'memory'],
    [pressure(25, 0, 40), 'io'],
    [pressure(19, 1, 9), undefined],
    [load(5.75), 'cpu'],
    [load(2.5), undefined],
    // Pressure is told: load alone does not decide.
    [[...load(9), ...pressure(1, 0, 0)], undefined],
  ])('%#: %s', (lines, by) => {
    expect(machineWaits(lines)?.by).toBe(by);
  });

  it('tells the figures, and nothing of what was not read', () => {
    expect(machineWaits([...load(5.75), ...pressure(68.6, 0, 0.4)])).toEqual({
      by: 'cpu',
      shares: { cpu: 68.6, memory: 0, io: 0.4 },
      load: 5.75,
      processors: 3,
    });
    expect(machineWaits(['something else'])).toBeUndefined();
  });
});
