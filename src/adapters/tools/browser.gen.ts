// Written by `npm run gen` from the files in tools/browser. Do not edit.
export const browser = {
  browser_back: async () => (await import('./browser/browser-back.ts')).tool,
  browser_click: async () => (await import('./browser/browser-click.ts')).tool,
  browser_console: async () => (await import('./browser/browser-console.ts')).tool,
  browser_navigate: async () => (await import('./browser/browser-navigate.ts')).tool,
  browser_press: async () => (await import('./browser/browser-press.ts')).tool,
  browser_screenshot: async () => (await import('./browser/browser-screenshot.ts')).tool,
  browser_scroll: async () => (await import('./browser/browser-scroll.ts')).tool,
  browser_snapshot: async () => (await import('./browser/browser-snapshot.ts')).tool,
  browser_type: async () => (await import('./browser/browser-type.ts')).tool,
} as const;
