const META = /<meta\b[^>]*\bcharset\s*=\s*["']?\s*([\w.:-]+)/i;
const XML = /^\s*<\?xml\b[^>]*\bencoding\s*=\s*["']([\w.:-]+)/i;
/** How far into a page its own word about its encoding is looked for. */
const HEAD_BYTES = 4_096;

/** The text of an answer: by its byte order mark, what the server says, what the page says, or what fits. */
export function decodeText(bytes: Uint8Array, contentType: string): { text: string; charset: string } {
  const declared = /charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(contentType)?.[1];
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString('latin1');
  const candidates = [markOf(bytes), declared, META.exec(head)?.[1], XML.exec(head)?.[1]];
  for (const name of candidates) {
    const decoder = name === undefined ? undefined : decoderFor(name);
    if (decoder) return { text: decoder.decode(bytes), charset: decoder.encoding };
  }
  const decoder = new TextDecoder(isUtf8(bytes) ? 'utf-8' : 'windows-1252');
  return { text: decoder.decode(bytes), charset: decoder.encoding };
}

function markOf([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xff && second === 0xfe ? 'utf-16le' : undefined;
}

function decoderFor(name: string): InstanceType<typeof TextDecoder> | undefined {
  try {
    return new TextDecoder(name);
  } catch {
    // A name that nobody knows says nothing; the next source is asked.
    return undefined;
  }
}

/** A sequence that the limit tore apart at the end is no reason to doubt the rest. */
function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
