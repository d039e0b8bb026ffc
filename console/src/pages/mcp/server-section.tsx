import type { McpServer } from '#spec/api';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useFormats, useText } from '../../domains/language/language.tsx';
import { MCP_KEY, reconnectMcp } from '../../domains/mcp/mcp-api.ts';
import { useMay } from '../../domains/session/session.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import type { Tone } from '../../ui/classes.ts';
import { Facts, Section } from '../../ui/page.tsx';
import { Empty, Refused } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { McpTools } from './mcp-tools.tsx';
import { mcpText } from './text.ts';

const TONE: Readonly<Record<McpServer['state'], Tone>> = {
  idle: 'quiet',
  starting: 'info',
  ready: 'ok',
  failed: 'bad',
  restarting: 'warn',
  off: 'quiet',
};

/** One server: how it is reached, how it does, what it offers. */
export function ServerSection({ server }: { readonly server: McpServer }) {
  const text = useText(mcpText);
  const may = useMay('operator');
  const client = useQueryClient();
  const reconnect = useMutation({
    mutationFn: () => reconnectMcp(server.server),
    onSuccess: (data) => client.setQueryData(MCP_KEY, data),
  });
  const { state, error, output, changed, offered, learnedAt } = server;
  return (
    <Section
      title={server.server}
      count={offered.length}
      flush
      actions={
        <span className="row">
          <Badge tone={TONE[state]}>{text.states[state]}</Badge>
          {may && state !== 'off' ? (
            <Button small busy={reconnect.isPending} onClick={() => reconnect.mutate()}>
              {reconnect.isPending ? text.reconnecting : text.reconnect}
            </Button>
          ) : null}
        </span>
      }
    >
      <div className="stack mcp-inset">
        <Refused error={reconnect.error} />
        {error === undefined ? null : (
          <div className="notice bad">
            <strong>{text.error}:</strong> {error}
          </div>
        )}
        {output === undefined ? null : (
          <div className="stack">
            <span className="muted">{text.output}</span>
            <pre className="code">{output}</pre>
          </div>
        )}
        {changed.length ? <div className="notice warn">{text.changedWhy(changed.join(', '))}</div> : null}
        <HowItDoes server={server} />
      </div>
      {offered.length ? <McpTools server={server.server} tools={offered} /> : null}
      {learnedAt === undefined && state !== 'off' && state !== 'failed' ? (
        <Empty title={text.unknown}>{text.unknownWhy}</Empty>
      ) : null}
    </Section>
  );
}

function HowItDoes({ server }: { readonly server: McpServer }) {
  const text = useText(mcpText);
  const { state, reach, probe, since, restarts, revision, learnedAt, pid } = server;
  const items: (readonly [string, ReactNode])[] = [
    [
      text.reach,
      <code key="reach">
        {reach.kind === 'stdio' ? [reach.command, ...reach.args].join(' ') : reach.url}
      </code>,
    ],
    ...(reach.kind === 'stdio' && reach.env.length
      ? [[text.variables, <Names key="env" names={reach.env} />] as const]
      : []),
    ...(reach.kind === 'http' && reach.headers.length
      ? [[text.headers, <Names key="headers" names={reach.headers} />] as const]
      : []),
    ...(reach.kind === 'http' ? [[text.auth, reach.auth] as const] : []),
    ...(state === 'off' ? [] : [[text.answers, <Answers key="answers" probe={probe} />] as const]),
    ...(learnedAt === undefined
      ? []
      : [
          [text.has, <Has key="has" server={server} />] as const,
          [text.learned, <Time key="learned" at={learnedAt} ago />] as const,
        ]),
    [
      text.since,
      <span key="since">
        <Time at={since} ago />
        {pid === undefined ? null : <span className="muted"> · pid {pid}</span>}
      </span>,
    ],
    ...(revision === undefined ? [] : [[text.revision, revision] as const]),
    ...(restarts === 0 ? [] : [[text.restarts, restarts] as const]),
  ];
  return <Facts items={items} />;
}

function Answers({ probe }: { readonly probe: McpServer['probe'] }) {
  const text = useText(mcpText);
  const formats = useFormats();
  if (!probe) return <span className="muted">{text.notMeasured}</span>;
  return (
    <span>
      {formats.quantity(probe.ms, 'ms')}{' '}
      <span className="muted">
        {text.measured} <Time at={probe.at} ago />
      </span>
    </span>
  );
}

/** Names of variables and headers: what is in them never comes here. */
const Names = ({ names }: { readonly names: readonly string[] }) => (
  <span className="row">
    {names.map((name) => (
      <code key={name}>{name}</code>
    ))}
  </span>
);

function Has({ server: { offered, probe, resources, prompts } }: { readonly server: McpServer }) {
  const text = useText(mcpText);
  const parts = [
    text.tools(offered.length),
    probe ? text.resources(probe.resources) : resources ? text.someResources : '',
    probe ? text.prompts(probe.prompts) : prompts ? text.somePrompts : '',
  ];
  return parts.filter(Boolean).join(' · ');
}
