import { useState } from 'react';
import { useText } from '../domains/language/language.tsx';
import { Button } from './button.tsx';
import { uiText } from './text.ts';

/** Copies a text. Where the browser does not allow it, the text becomes a file. */
export function Copy(props: {
  readonly text: () => string;
  readonly label?: string;
  readonly file?: string;
}) {
  const words = useText(uiText);
  const [done, setDone] = useState(false);
  const copy = async () => {
    const text = props.text();
    const copied = await writeClipboard(text);
    if (!copied) download(text, props.file ?? 'hermes.txt');
    setDone(true);
    setTimeout(() => setDone(false), 1_500);
  };
  return (
    <Button small look="plain" onClick={() => void copy()}>
      <span aria-live="polite">{done ? words.copied : (props.label ?? words.copy)}</span>
    </Button>
  );
}

/** False where it is not allowed: on a page that came over plain HTTP from another machine, for one. */
async function writeClipboard(text: string): Promise<boolean> {
  if (!('clipboard' in navigator)) return false;
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
}

function download(text: string, name: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = Object.assign(document.createElement('a'), { href: address, download: name });
  link.click();
  URL.revokeObjectURL(address);
}
