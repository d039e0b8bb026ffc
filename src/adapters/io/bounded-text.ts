/** The text of an answer, up to `most` bytes. `cut`: there was more, which is left where it is. */
export async function boundedText(
  { body }: Pick<Response, 'body'>,
  most: number,
): Promise<{ readonly text: string; readonly cut: boolean }> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const piece of (body ?? []) as AsyncIterable<Uint8Array>) {
    text += decoder.decode(piece.subarray(0, most - bytes), { stream: true });
    bytes += piece.length;
    if (bytes > most) return { text, cut: true };
  }
  return { text: text + decoder.decode(), cut: false };
}
