export { startGithubDeployments } from './github-deployments.ts';
