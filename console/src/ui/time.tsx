import { useEffect, useState } from 'react';
import { useFormats } from '../domains/language/language.tsx';

/** The time of now, renewed every so often. */
export function useNow(everyMs = 10_000): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

/** An instant in local time; UTC stands in the title. `ago`: how long ago it was. */
export function Time({ at, ago = false }: { readonly at: number | string; readonly ago?: boolean }) {
  const formats = useFormats();
  return (
    <time
      className="nowrap"
      dateTime={new Date(at).toISOString()}
      title={`${formats.full(at)}\n${formats.utc(at)}`}
    >
      {ago ? <Ago at={at} /> : formats.time(at)}
    </time>
  );
}

function Ago({ at }: { readonly at: number | string }) {
  const near = Math.abs(Date.now() - new Date(at).getTime()) < 120_000;
  const now = useNow(near ? 1_000 : 15_000);
  return useFormats().ago(at, now);
}
