export { type ChangesUnderTest, describeChangesSource } from './changes-contract.ts';
