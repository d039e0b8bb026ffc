import type { Cause } from '#spec/data';
import type { AskModel } from '#spec/ports';

/** A reader that knows what it will say: it finds that among what it is offered, and backs it with what it is shown. */
export const scriptedReader =
  (choose: (offered: readonly Cause[]) => Cause | undefined): AskModel =>
  async ([part]) => {
    const text = part?.type === 'text' ? part.text : '';
    const offered = [...text.matchAll(OPTION)].map(([, letter, category, service, change]) => ({
      letter,
      cause: { category, service, change } as Cause,
    }));
    const chosen = choose(offered.map(({ cause }) => cause));
    const [, none] = NONE.exec(text) ?? [];
    const verdict = offered.find(({ cause }) => cause === chosen)?.letter ?? none;
    const [quote, id] = EVIDENCE.exec(text) ?? [];
    return JSON.stringify({ verdict, evidence: [id], quote, query: null });
  };

const OPTION = /^([A-Z])\. (\w+)(?: in (\S+?))?(?: by change (\S+?))?: /gm;
const NONE = /^([A-Z])\. none of these$/m;
const EVIDENCE = /^\[(ev_\w+)\] .+$/m;
