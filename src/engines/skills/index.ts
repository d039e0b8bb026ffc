export { judgeSkill } from './guard/index.ts';
export {
  openSkillHub,
  parseSource,
  type SkillHub,
  trustByLock,
} from './hub/index.ts';
export {
  type Available,
  type HiddenReason,
  openSkillLibrary,
  parseSkillFile,
  shownChange,
  type SkillLibrary,
  skillTools,
  type SkillToolDeps,
  skillWriter,
  type SkillWriter,
} from './library/index.ts';
export {
  explainWorkflow,
  parseWorkflow,
  type CallOccasion,
  type RunContext,
  runWorkflow,
  type StepRecord,
  validateWorkflow,
  type Workflow,
  WORKFLOW_FLOW,
  type WorkflowDeps,
  type WorkflowEvent,
  workflowExperience,
  workflowFlow,
  type WorkflowPlan,
  type WorkflowReply,
  type WorkflowRequest,
  type WorkflowRun,
  workflowRun,
} from './workflow/index.ts';
