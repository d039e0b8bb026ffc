export type { Conversations, Dependencies, PluginParts, Redactor, UnreadSetting } from './dependencies.ts';
export type { Settings } from './settings.ts';
