import { z } from 'zod';
import { defineTool } from '#spec/ports';
import { saveBytes } from '../save-bytes.ts';
import { answer, refusal } from '../text/answer.ts';
import { changeReport } from '../text/change-report.ts';
import { copiedMark } from '../text/copied-mark.ts';
import { decodeText, encodeText } from '../text/text-file.ts';

const input = z.object({ path: z.string().min(1), content: z.string() });

export const tool = defineTool<z.infer<typeof input>>({
  name: 'write_file',
  toolset: 'file',
  description: 'Write a whole file in the workspace. To change part of one, use patch.',
  input,
  effect: () => 2,
  footprint: ({ path }) => ({ writes: [path] }),
  deed: ({ path }) => ({ writes: [path] }),
  maxChars: 12_000,
  async run({ path, content }, { files }) {
    const found = await files.stat(path);
    if (found?.kind === 'folder') return refusal(`${path} is a folder.`);
    const before = found && (await files.read(path));
    const old = before && decodeText(before);
    const copied = copiedMark(path, old?.text, content);
    if (copied) return refusal(copied);
    const bytes = encodeText(content, old);
    if (before && Buffer.from(before).equals(bytes))
      return answer(`${path} already holds exactly this; nothing was written.`, `unchanged ${path}`);
    await saveBytes(files, path, before, bytes);
    if (before && !old) return answer(`Wrote ${path} over what was no text.`, `replaced ${path}`);
    const { diff, added, removed, summary } = changeReport(path, old?.text, content.replaceAll('\r\n', '\n'));
    return answer(`${before ? 'Changed' : 'Made'} ${path}\n${diff}`, summary, { path, added, removed });
  },
});
