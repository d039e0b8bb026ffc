import { fail } from '#kit/app-error';
import { parseRef } from '../models/models.ts';
import type { Dependencies } from '../dependencies.ts';
import type { ServedModel } from './served.ts';

type Needs = Pick<Dependencies, 'answering' | 'providerNames' | 'settings'>;

const OWN = 'hermes';
/** A client may name any model of a known provider, but not fill the memory with names. */
const MOST_NAMES = 200;
const LONGEST = 200;

/** The names under which the agent answers: its own, and those of the models that are configured. */
export async function servedModels(deps: Needs): Promise<readonly ServedModel[]> {
  const { llm } = deps.settings;
  const first = await deps.answering();
  const tiers = Object.values(llm.tiers ?? {}).filter((tier) => tier !== undefined);
  const others = [...llm.fallback, ...tiers].map((ref) =>
    typeof ref === 'string' ? ref : [ref.provider, ref.model].filter(Boolean).join('/'),
  );
  const named = [...new Set([...(first ? [first] : []), ...others])];
  return [
    { id: OWN, ...(first ? { answers: first } : {}) },
    ...named.map((ref) => ({ id: `${OWN}/${ref}`, answers: ref })),
  ];
}

/** Reads the name that a client asks for: what replaces the configured model, or undefined where nothing does. */
export function modelNames(deps: Needs): (name: string) => Promise<string | undefined> {
  const seen = new Set<string>();
  return async (name) => {
    if (name === OWN) return undefined;
    const ref = name.startsWith(`${OWN}/`) ? name.slice(OWN.length + 1) : name;
    const { provider } = parseRef(ref);
    const known = await deps.providerNames();
    if (!known.includes(provider) || ref.length > LONGEST) throw unknownModel(name);
    if (!seen.has(ref) && seen.size >= MOST_NAMES)
      throw fail('input.invalid', 'Too many different models were asked for since the server started.');
    seen.add(ref);
    return ref;
  };
}

const unknownModel = (name: string) =>
  fail(
    'model.not_found',
    `There is no model '${name.slice(0, LONGEST)}'. It is '${OWN}', or '${OWN}/<provider>/<model>'.`,
  );
