import { definePage } from '../../domains/pages/define-page.ts';

export const page = definePage({
  path: '/settings',
  nav: {
    label: { en: 'Settings', zh: '设置' },
    group: 'system',
    order: 90,
    key: 's',
    icon: 'M2.5 4.5h7m3 0h1M2.5 11.5h1m3 0h7M11 3v3M5 10v3',
  },
  load: () => import('./settings-page.tsx'),
});
