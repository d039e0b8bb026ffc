import { definePage } from '../../domains/pages/define-page.ts';

export const page = definePage({
  path: '/mcp',
  nav: {
    label: { en: 'MCP servers', zh: 'MCP 服务器' },
    group: 'agent',
    order: 40,
    key: 'p',
    icon: 'M6 2.5v3M10 2.5v3M4 5.5h8v3a4 4 0 0 1-8 0zM8 12.5v2',
  },
  load: () => import('./mcp-page.tsx'),
});
