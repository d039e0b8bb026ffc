export { filesContract, type FilesUnderTest } from './files-contract.ts';
export { portOnly } from './port-only.ts';
export { temporaryWorkspace, type TemporaryWorkspace } from './temporary-workspace.ts';
