// Written by `npm run gen` from the files in tools/media. Do not edit.
export const media = {
  image_generate: async () => (await import('./media/image-generate.ts')).tool,
  text_to_speech: async () => (await import('./media/text-to-speech.ts')).tool,
  transcribe: async () => (await import('./media/transcribe.ts')).tool,
  vision_analyze: async () => (await import('./media/vision-analyze.ts')).tool,
} as const;
