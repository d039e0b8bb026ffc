export { checkpointDigest, executorFor } from './approval/rehearse-action.ts';
export { collectEvidence } from './evidence/collect-evidence.ts';
export { mergeProfiles, readProfileNotes } from './evidence/profile-notes.ts';
export { explainIncident } from './explain/explain-incident.ts';
export { healthOf } from './health/service-health.ts';
export { closeByHand } from './incident/close-by-hand.ts';
export { placeAlert } from './incident/place-alert.ts';
export { type PastAlert, replayGrouping } from './incident/replay-grouping.ts';
export type { IncidentDeps, IncidentSettings } from './incident-deps.ts';
export { logIncidents } from './log-incidents.ts';
export { incidentFlow, type IncidentInput } from './incident-flow.ts';
export { intake } from './intake/intake.ts';
export { type IncidentQuestion, readQuestion } from './intake/read-question.ts';
export { followsRelease, isUrgent, readReport, type Report } from './intake/read-report.ts';
export type { SymptomKind } from './intake/symptom-words.ts';
export { lessonPaths, lessonsOf } from './learning/lessons-of.ts';
export { proposeAction } from './policy/propose-action.ts';
export { requestedAction } from './policy/requested-action.ts';
export { describeRule } from './policy/rules/describe-rule.ts';
export { operationsIn, parseRule, soundsLikeRule, whyNoRule } from './policy/rules/parse-rule.ts';
export { readRules } from './policy/rules/read-rules.ts';
export { recallPriors } from './priors/recall-priors.ts';
export { diagnose } from './rca/diagnose.ts';
export { calibrated } from './rca/model/calibrated.ts';
export { caseFeatures, type CaseFeatures } from './rca/model/case-features.ts';
export {
  CHANGE_FEATURES,
  INCIDENT_FEATURES,
  type Parameters as RcaParameters,
  PLACE_FEATURES,
} from './rca/model/parameters.ts';
export { posterior } from './rca/model/posterior.ts';
export { releaseOf } from './rca/model/release.ts';
export { observe } from './rca/observe.ts';
export { weighOpinion } from './rca/opinion/weigh-opinion.ts';
export { reachVerdict } from './rca/reach-verdict.ts';
export { readDiagnosis } from './reader/read-diagnosis.ts';
export { weighReading } from './reader/weigh-reading.ts';
export { postMortem } from './report/post-mortem.ts';
export type { ActionAnswer, ActionRequest, DeskProposal, IncidentDesk } from './tools/incident-desk.ts';
export { incidentTools } from './tools/incident-tools.ts';
export {
  type HouseRule,
  noRuleText,
  removeRule,
  type RuleBook,
  rulesText,
  ruleTool,
} from './tools/rule-tool.ts';
export { incidentLine, verdictLines } from './tools/told-tools.ts';
export { categoryWord } from './names.ts';
export { howToConnect } from './tools/missing-evidence.ts';
export { judgeRecovery } from './verification/judge-recovery.ts';
export { DIGEST_FACTS, digestOf } from './report/digest/digest.ts';
export { digestMarkdown } from './report/digest/digest-markdown.ts';
