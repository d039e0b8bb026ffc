export { incidentToolsOf, type ToolView, toolViews } from './all-tools.ts';
export { engineTools } from './engine-tools.ts';
export type { KeptFiles, OpenPlace, PlaceOptions, Unkept, WorkspaceCheckpoints } from './open-place.ts';
export { viewTools } from './view-tools.ts';
