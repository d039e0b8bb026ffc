import { loopbackWeb } from './loopback-web.ts';
import { webClientContract } from './web-client-contract.ts';

webClientContract('loopback web', () => ({ web: loopbackWeb({}), close: async () => undefined }));
