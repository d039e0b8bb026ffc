export { parseWorkflow } from './file/parse-workflow.ts';
export type { Workflow } from './file/workflow.ts';
export {
  explainWorkflow,
  type WorkflowPlan,
} from './plan/explain-workflow.ts';
export { validateWorkflow } from './plan/validate-workflow.ts';
export type {
  StepRecord,
  WorkflowEvent,
  WorkflowInput,
  WorkflowResult,
} from './run/run-records.ts';
export { cancelWorkflow, runWorkflow, type WorkflowReply, type WorkflowRequest } from './run/run-workflow.ts';
export type { CallOccasion, RunContext, WorkflowDeps } from './run/workflow-deps.ts';
export { workflowExperience } from './run/workflow-experience.ts';
export { WORKFLOW_FLOW, workflowFlow } from './run/workflow-flow.ts';
export { type WorkflowRun, workflowRun } from './run/workflow-run.ts';
