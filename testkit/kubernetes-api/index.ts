export {
  type KubeChange,
  type KubernetesApiOptions,
  type KubernetesServer,
  type NewDeployment,
  startKubernetesApi,
} from './kubernetes-api.ts';
