import { definePage } from '../../domains/pages/define-page.ts';

export const page = definePage({
  path: '/chat',
  nav: {
    label: { en: 'Chat', zh: '对话' },
    group: 'agent',
    order: 10,
    key: 'c',
    icon: 'M2.5 3.5h11v7.5h-6l-3 2.5v-2.5h-2z',
  },
  load: () => import('./chat-page.tsx'),
});
