export { type ApiFault, type FaultSwitch, withFaults } from './with-faults.ts';
