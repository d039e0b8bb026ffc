import { useText } from '../../domains/language/language.tsx';
import { Copy } from '../../ui/copy.tsx';
import { mcpText } from './text.ts';

const SAMPLE = JSON.stringify(
  {
    mcp_servers: {
      files: {
        command: 'npx',
        args: ['-y', '@modelcontextprotocol/server-filesystem', '/srv/app'],
        permissions: { allowed_paths: ['/srv/app'], require_confirmation: ['write_file'] },
      },
      tracker: {
        url: 'https://tracker.example.com/mcp',
        headers: { Authorization: 'Bearer ${TRACKER_TOKEN}' },
      },
    },
  },
  undefined,
  2,
);

export function AddServer() {
  const text = useText(mcpText);
  return (
    <div className="stack">
      <h3>{text.addTitle}</h3>
      <p>{text.add}</p>
      <Pasted text={SAMPLE} />
      <p>{text.afterwards}</p>
      <Pasted text="hermes mcp status" />
    </div>
  );
}

/** Lines to be copied. */
export function Pasted({ text }: { readonly text: string }) {
  return (
    <div className="mcp-pasted">
      <code className="code">{text}</code>
      <Copy text={() => text} />
    </div>
  );
}
