/** The tag of an image, or the beginning of its digest; the whole name where it has neither. */
function imageVersion(image: string): string {
  const tag = /:([^:/@]+)(?:@|$)/.exec(image)?.[1];
  return tag ?? /@sha256:([0-9a-f]{12})/.exec(image)?.[1] ?? image;
}

/** What runs, in one word: the version of the only image, or all of them. */
export const versionOfImages = (images: readonly string[]): string | undefined =>
  images.length ? images.map(imageVersion).join(', ') : undefined;
