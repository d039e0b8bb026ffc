export { PIXEL, TOOL, answered, asked, called, found, modelInfo, said } from './sample-messages.ts';
