export { embedderContract, type EmbedderContractOptions } from './embedder-contract.ts';
export { embeddingsService } from './embeddings-service.ts';
