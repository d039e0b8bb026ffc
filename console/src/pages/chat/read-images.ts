import type { SentImage } from '#spec/api';

const MEDIA_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;
const MOST_BYTES = 3_000_000;
export const MOST_IMAGES = 4;

/** Pictures as they are sent. `refused`: some were too large, too many, or no pictures that a model can be shown. */
export async function readImages(
  files: readonly File[],
  most: number,
): Promise<{ readonly images: readonly SentImage[]; readonly refused: boolean }> {
  const fit = files.filter(
    ({ size, type }) => size <= MOST_BYTES && MEDIA_TYPES.some((each) => each === type),
  );
  const taken = fit.slice(0, Math.max(0, most));
  const images = await Promise.all(
    taken.map(async (file) => ({
      mediaType: file.type as SentImage['mediaType'],
      data: base64(new Uint8Array(await file.arrayBuffer())),
    })),
  );
  return { images, refused: taken.length < files.length };
}

export const addressOf = ({ mediaType, data }: SentImage): string => `data:${mediaType};base64,${data}`;

function base64(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += 8_192)
    binary += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return btoa(binary);
}
