export { API_FAULTS, type ApiFault, type FaultSwitch, withFaults } from './with-faults.ts';
