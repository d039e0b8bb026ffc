export { type GithubDeployments, startGithubDeployments } from './github-deployments.ts';
