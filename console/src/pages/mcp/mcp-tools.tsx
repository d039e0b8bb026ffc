import type { McpTool } from '#spec/api';
import { useText } from '../../domains/language/language.tsx';
import { Badge } from '../../ui/badge.tsx';
import type { Tone } from '../../ui/classes.ts';
import { Json } from '../../ui/json.tsx';
import { Table } from '../../ui/table.tsx';
import { mcpText } from './text.ts';

const LEVEL_TONE: readonly Tone[] = ['quiet', 'quiet', 'warn', 'bad'];

/** What a server offers, with how far each call reaches. Everything in it is the word of a stranger, shown as text. */
export function McpTools({ server, tools }: { readonly server: string; readonly tools: readonly McpTool[] }) {
  const text = useText(mcpText);
  return (
    <Table
      label={`${server}: ${text.tools(tools.length)}`}
      items={tools}
      keyOf={({ name }) => name}
      columns={[
        {
          key: 'tool',
          title: text.tool,
          cell: ({ name, as, confirm, changed, hides, refused }) => (
            <div className="stack mcp-tool">
              <code title={as}>{name}</code>
              <span className="row">
                {refused === undefined ? null : <Badge title={refused}>{text.refused}</Badge>}
                {confirm ? <Badge tone="warn">{text.confirm}</Badge> : null}
                {changed ? <Badge tone="warn">{text.changed}</Badge> : null}
                {hides ? <Badge tone="bad">{text.hides}</Badge> : null}
              </span>
            </div>
          ),
        },
        {
          key: 'level',
          title: text.level,
          cell: ({ level }) => <Badge tone={LEVEL_TONE[level] ?? 'quiet'}>{text.levels[level]}</Badge>,
        },
        {
          key: 'what',
          title: text.what,
          wide: true,
          cell: ({ description, refused }) => (
            <span className="wrap">
              {description || '–'}
              {refused === undefined ? null : <span className="muted"> ({refused})</span>}
            </span>
          ),
        },
        {
          key: 'schema',
          title: text.schema,
          cell: ({ input }) => <Json value={argumentsOf(input)} depth={1} />,
        },
      ]}
    />
  );
}

/** Of a schema, the part that people look for. */
function argumentsOf(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null || !('properties' in schema)) return schema;
  const required = 'required' in schema && Array.isArray(schema.required) ? schema.required : [];
  return { ...(required.length ? { required } : {}), ...(schema.properties as object) };
}
