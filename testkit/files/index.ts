export { filesContract, type FilesUnderTest } from './files-contract.ts';
export { fileToolContext, portOnly } from './tool-context.ts';
export { temporaryWorkspace, type TemporaryWorkspace } from './temporary-workspace.ts';
