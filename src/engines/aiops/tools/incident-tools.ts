import type { Tool } from '#spec/ports';
import { actionTools } from './action-tools.ts';
import type { IncidentToolDeps } from './define-incident-tool.ts';
import { logTool } from './log-tool.ts';
import { metricTools } from './metric-tools.ts';
import { toldTools } from './told-tools.ts';
import { traceTool } from './trace-tool.ts';
import { verdictTools } from './verdict-tools.ts';
import { deploysTool } from './deploys-tool.ts';

/** The tools of the incident responder, by the names that runbooks call them. */
export const incidentTools = (deps: IncidentToolDeps): readonly Tool[] => [
  ...metricTools(deps),
  logTool(deps),
  traceTool(deps),
  deploysTool(deps),
  ...verdictTools(deps),
  ...toldTools(deps),
  ...actionTools(deps),
];
