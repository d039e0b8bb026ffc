import { definePage } from '../../domains/pages/define-page.ts';

export const page = definePage({
  path: '/monitoring',
  nav: {
    label: { en: 'Monitoring', zh: '监控' },
    group: 'operate',
    order: 30,
    key: 'm',
    icon: 'M2 8.5h3l1.5-4 3 8L11 8.5h3',
  },
  load: () => import('./monitoring-page.tsx'),
});
