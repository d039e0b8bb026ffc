import { Json } from '../../ui/json.tsx';
import { LongText, type RestOfText } from './long-text.tsx';

/** The arguments of a call: as a tree where they are JSON, otherwise as they were written. */
export function CallArguments({
  text,
  rest,
}: {
  readonly text: string;
  readonly rest?: RestOfText | undefined;
}) {
  const value = rest ? undefined : parsed(text);
  return value === undefined ? <LongText text={text} rest={rest} /> : <Json value={value} />;
}

function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    // A model may write anything: what is no JSON is shown as it is.
    return undefined;
  }
}
