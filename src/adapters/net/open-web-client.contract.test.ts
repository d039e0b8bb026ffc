import { webClientContract } from '#testkit/web';
import { openWebClient } from './open-web-client.ts';

webClientContract('open web client', (allowed) => {
  const web = openWebClient({ allowPrivate: [allowed] });
  return { web, close: () => web.close() };
});
