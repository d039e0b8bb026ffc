import type { Language } from '#kit/language';
import { en, type Text } from './en.ts';
import { zh } from './zh.ts';

export const texts: Readonly<Record<Language, Text>> = { en, zh };
export type { Text } from './en.ts';
