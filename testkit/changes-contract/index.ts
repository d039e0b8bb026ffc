export { describeChangesSource } from './changes-contract.ts';
