/** Far more than anybody means, and far less than what recursion over it could stand. */
const MOST_DEPTH = 200;

/** The JSON of a body. Throws where it is none, or is nested so deeply that whoever walks it could fall. */
export function parseJson(body: Uint8Array): unknown {
  const value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as unknown;
  let level = isNested(value) ? [value] : [];
  for (let depth = 1; level.length; depth++) {
    if (depth > MOST_DEPTH) throw new SyntaxError(`It is nested more than ${MOST_DEPTH} levels deep.`);
    level = level.flatMap((each) => Object.values(each).filter(isNested));
  }
  return value;
}

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;
