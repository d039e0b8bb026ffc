export { listenHere } from './listen-here.ts';
export {
  type LoopbackAnswer,
  type LoopbackHandler,
  type LoopbackServer,
  type SeenRequest,
  startLoopback,
} from './loopback-server.ts';
export { loopbackWeb } from './loopback-web.ts';
export { webClientContract, type WebClientUnderTest } from './web-client-contract.ts';
export { mediaService, MP3, PNG } from './media-service.ts';
export { githubApi } from './github-api.ts';
export { homeAssistant } from './home-assistant.ts';
export { type KubernetesApi, kubernetesApi } from './kubernetes-api.ts';
export { samplePdf } from './sample-pdf.ts';
