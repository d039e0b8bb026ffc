import { definePage } from '../../domains/pages/define-page.ts';

export const page = definePage({
  path: '/skills',
  nav: {
    label: { en: 'Skills', zh: '技能' },
    group: 'learn',
    order: 20,
    key: 'k',
    icon: 'M3 3h7l3 3v7H3zM5.5 8h5M5.5 10.5h3',
  },
  load: () => import('./skills-page.tsx'),
});
