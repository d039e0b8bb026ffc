export { memoryProviders } from './memory-providers.ts';
