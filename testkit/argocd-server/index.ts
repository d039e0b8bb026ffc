export { type ArgocdServer, startArgocdServer } from './argocd-server.ts';
