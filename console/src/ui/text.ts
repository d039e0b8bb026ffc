import { defineText } from '../domains/language/define-text.ts';

/** Words of the shared pieces. */
export const uiText = defineText({
  en: {
    close: 'Close',
    copy: 'Copy',
    copied: 'Copied',
    copyCsv: 'Copy as CSV',
    loading: 'Loading',
    failed: 'This could not be loaded',
    offline: 'The server does not answer. This page goes on by itself as soon as it does.',
    again: 'Try again',
    noDiff: 'Nothing would change.',
    items: (count: number) => `${count} items`,
    keys: (count: number) => `${count} keys`,
    more: (count: number) => `Show ${count} more`,
    asList: 'As a list',
    zoomHint: 'Drag to zoom, double-click to reset',
    chart: (name: string, least: string, most: string, last: string) =>
      `${name}: from ${least} to ${most}, last ${last}`,
    noData: 'No measurements in this window',
    leadsTo: 'leads to',
  },
  zh: {
    close: '关闭',
    copy: '复制',
    copied: '已复制',
    copyCsv: '复制为 CSV',
    loading: '加载中',
    failed: '无法加载',
    offline: '服务器没有响应。恢复后页面会自动继续。',
    again: '重试',
    noDiff: '不会有任何变化。',
    items: (count) => `${count} 项`,
    keys: (count) => `${count} 个键`,
    more: (count) => `再显示 ${count} 条`,
    asList: '列表形式',
    zoomHint: '拖动缩放，双击还原',
    chart: (name, least, most, last) => `${name}：最小 ${least}，最大 ${most}，最近 ${last}`,
    noData: '该时间窗口内没有数据',
    leadsTo: '指向',
  },
});
