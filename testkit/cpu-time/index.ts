/**
 * Milliseconds of processor time that this process has used. A test that holds work to be quick measures with it: time
 * on the wall grows with whatever else keeps the machine busy.
 */
export const cpuMs = (): number => process.cpuUsage().user / 1_000;
