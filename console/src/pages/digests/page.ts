import { definePage } from '../../domains/pages/define-page.ts';

export const page = definePage({
  path: '/digests',
  nav: {
    label: { en: 'Digests', zh: '摘要' },
    group: 'operate',
    order: 40,
    key: 'd',
    icon: 'M3 13V9M6.3 13V5M9.7 13V7.5M13 13V3',
  },
  load: () => import('./digests-page.tsx'),
});
