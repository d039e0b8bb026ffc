import type { Language } from '#kit/language';

interface PluginTexts {
  notAllowed(entry: string): string;
  changed(entry: string): string;
  broken(why: string): string;
}

/** The sentences about the state of a plugin. What exactly is broken stays in the words of its authors' language. */
export const PLUGIN_TEXTS: Readonly<Record<Language, PluginTexts>> = {
  en: {
    notAllowed: (entry) =>
      `It has not been allowed. To allow it as it is now, add "${entry}" to plugins.allowed.`,
    changed: (entry) =>
      `It is not what was allowed: its files have changed. Look at them; to allow it as it is now, put "${entry}" into plugins.allowed.`,
    broken: (why) => `It was left out: ${why}.`,
  },
  zh: {
    notAllowed: (entry) => `尚未允许。如要按当前内容允许,请将 "${entry}" 加入 plugins.allowed。`,
    changed: (entry) =>
      `其文件与允许时不同。请先检查;如要按当前内容允许,请将 "${entry}" 写入 plugins.allowed。`,
    broken: (why) => `已跳过:${why}。`,
  },
};
