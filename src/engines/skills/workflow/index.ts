export { type ParsedWorkflow, parseWorkflow } from './file/parse-workflow.ts';
export type { Check, Workflow, WorkflowProblem, WorkflowStep } from './file/workflow.ts';
export type { WorkflowTools } from './plan/effect-level.ts';
export {
  type ExplainDeps,
  explainWorkflow,
  type PlannedStep,
  type WorkflowPlan,
} from './plan/explain-workflow.ts';
export { type ValidatedWorkflow, validateWorkflow } from './plan/validate-workflow.ts';
export { cachedRun } from './run/cached-run.ts';
export type {
  RunState,
  StepFailure,
  StepRecord,
  StepState,
  WorkflowEvent,
  WorkflowInput,
  WorkflowResult,
} from './run/run-records.ts';
export { cancelWorkflow, runWorkflow, type WorkflowReply, type WorkflowRequest } from './run/run-workflow.ts';
export type { CallOccasion, Occasion, RunContext, WorkflowDeps, WorldCheck } from './run/workflow-deps.ts';
export { workflowExperience } from './run/workflow-experience.ts';
export { WORKFLOW_FLOW, workflowFlow } from './run/workflow-flow.ts';
export { type WorkflowRun, workflowRun } from './run/workflow-run.ts';
