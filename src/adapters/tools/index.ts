import type { Tool } from '#spec/ports';
import { actions } from './actions.gen.ts';
import { browser } from './browser.gen.ts';
import { code } from './code.gen.ts';
import { file } from './file.gen.ts';
import { homeAssistant } from './home-assistant.gen.ts';
import { media } from './media.gen.ts';
import { ops } from './ops.gen.ts';
import { terminal } from './terminal.gen.ts';
import { web } from './web.gen.ts';

export { localFiles } from './local-files.ts';
export { SERVICE_URL_KEYS } from './services/service-urls.ts';

const TOOLSETS = {
  ...file,
  ...terminal,
  ...code,
  ...web,
  ...browser,
  ...ops,
  ...media,
  ...homeAssistant,
  ...actions,
};

/** The tools that touch the world, whether or not they can work here. */
export const worldTools = (): Promise<Tool[]> =>
  Promise.all(Object.values(TOOLSETS).map((load): Promise<Tool> => load()));
