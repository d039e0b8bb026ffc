export {
  type ArgoChange,
  type ArgocdOptions,
  type ArgocdServer,
  type NewApplication,
  startArgocdServer,
} from './argocd-server.ts';
export type { ArgoApplication, ArgoDeployment, ArgoOperation, ArgoOperationState } from './application.ts';
