/** The end of a long text, addressed by positions in the whole of it. */
interface OutputRing {
  append(text: string): void;
  /** What stands after a position. Where the beginning is gone, a line says how much is missing. */
  after(position: number): { readonly text: string; readonly next: number };
}

/** Keeps at least `keep` characters, and never more than twice as many. */
export function outputRing(keep: number): OutputRing {
  let kept = '';
  let dropped = 0;
  return {
    append(text) {
      kept += text;
      if (kept.length <= keep * 2) return;
      dropped += kept.length - keep;
      kept = kept.slice(-keep);
    },
    after(position) {
      const next = dropped + kept.length;
      if (position >= next) return { text: '', next };
      if (position >= dropped) return { text: kept.slice(Math.max(0, position) - dropped), next };
      const missing = dropped - Math.max(0, position);
      return { text: `[${missing} characters are not kept any more]\n${kept}`, next };
    },
  };
}
