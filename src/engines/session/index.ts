export { fitWindow } from './fit-window.ts';
export { basePrompt } from './prompt/base-prompt.ts';
