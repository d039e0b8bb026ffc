import { tell } from '#kit/text';
import type { Language } from '#kit/language';

/** Something that works worse than it could, and is said once. */
export type MemoryNotice =
  | { readonly kind: 'no_vectors' }
  | { readonly kind: 'vectors_failed'; readonly why: string }
  | { readonly kind: 'provider_failed'; readonly provider: string; readonly why: string };

export function noticeText(notice: MemoryNotice, language: Language): string {
  switch (notice.kind) {
    case 'no_vectors':
      return tell(
        'There is no embedding model: memory is searched by words alone.',
        '没有可用的向量模型:记忆只按文字检索。',
      )[language];
    case 'vectors_failed':
      return tell(
        `The embedding model failed, memory is searched by words alone for now: ${notice.why}`,
        `向量模型出错,记忆暂时只按文字检索:${notice.why}`,
      )[language];
    case 'provider_failed':
      return tell(
        `The outside memory ${notice.provider} did not answer and is left out for now: ${notice.why}`,
        `外部记忆 ${notice.provider} 没有应答,先不使用它:${notice.why}`,
      )[language];
  }
}
