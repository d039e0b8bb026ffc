import { defineText } from '../domains/language/define-text.ts';

export const listText = defineText({
  en: { lists: 'Lists', next: 'Next row', previous: 'Previous row', open: 'Open the row' },
  zh: { lists: '列表', next: '下一行', previous: '上一行', open: '打开该行' },
});
