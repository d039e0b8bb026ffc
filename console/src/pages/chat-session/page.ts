import { definePage } from '../../domains/pages/define-page.ts';

/** One conversation: the same page, with an address of its own. */
export const page = definePage({ path: '/chat/:session', load: () => import('../chat/chat-page.tsx') });
