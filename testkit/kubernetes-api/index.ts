export { type KubernetesServer, startKubernetesApi } from './kubernetes-api.ts';
