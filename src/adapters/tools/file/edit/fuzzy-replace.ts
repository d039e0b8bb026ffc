import { restoreHidden } from '#kit/hidden-characters';
import { count } from '../../text/answer.ts';
import { findPlaces } from './find-places.ts';
import { nearestRegion } from './nearest-region.ts';

export type Edit =
  | { readonly ok: true; readonly text: string; readonly how: string; readonly places: number }
  | { readonly ok: false; readonly problem: string };

/** Replaces the one place (or, with `all`, every place) where `old` stands. The text has plain line feeds. */
export function fuzzyReplace(text: string, old: string, fresh: string, all = false): Edit {
  const [asked, wanted] = [old.replaceAll('\r\n', '\n'), fresh.replaceAll('\r\n', '\n')];
  if (asked === '') return { ok: false, problem: '`old` is empty. Use write_file for a whole file.' };
  const found =
    findPlaces(text, asked, wanted) ?? findPlaces(text, restoreHidden(asked), restoreHidden(wanted));
  if (!found) return { ok: false, problem: `\`old\` is not in the file.${nearestRegion(text, asked)}` };
  const { places, how } = found;
  if (places.length > 1 && !all) {
    const lines = places.map(({ start }) => text.slice(0, start).split('\n').length);
    const shown = lines.slice(0, 20).join(', ');
    const more = lines.length > 20 ? ', …' : '';
    return {
      ok: false,
      problem: `\`old\` stands in ${count(places.length, 'place')}: lines ${shown}${more}. Give more lines around it, or all=true.`,
    };
  }
  let [edited, at] = ['', 0];
  for (const { start, end, replacement } of places) {
    edited += text.slice(at, start) + replacement;
    at = end;
  }
  return { ok: true, text: edited + text.slice(at), how, places: places.length };
}
