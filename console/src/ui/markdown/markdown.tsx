import { Fragment, memo, type ReactNode, useMemo } from 'react';
import { Copy } from '../copy.tsx';
import { OutLink } from '../link.tsx';
import { type Inline, parseInline } from './parse-inline.ts';
import { type Block, parseMarkdown } from './parse-markdown.ts';
import './markdown.css';

/**
 * Markdown as elements of the page. Nothing in it is ever HTML: what is not understood stays text, and links are those
 * of the web alone. `top`: the level of its highest heading on this page.
 */
export const Markdown = memo(function Markdown({
  text,
  top = 3,
}: {
  readonly text: string;
  readonly top?: number;
}) {
  const blocks = useMemo(() => parseMarkdown(text), [text]);
  return (
    <div className="markdown">
      <Blocks blocks={blocks} top={top} />
    </div>
  );
});

function Blocks({ blocks, top }: { readonly blocks: readonly Block[]; readonly top: number }): ReactNode {
  // While an answer is written only its last block changes: places are keys.
  // oxlint-disable-next-line react/no-array-index-key
  return blocks.map((block, index) => <BlockView key={index} block={block} top={top} />);
}

const BlockView = memo(
  function BlockView({ block, top }: { readonly block: Block; readonly top: number }) {
    switch (block.kind) {
      case 'paragraph':
        return (
          <p>
            <Words source={block.inline} />
          </p>
        );
      case 'heading': {
        const Heading = `h${Math.min(6, top + (block.level > 2 ? 1 : 0))}` as 'h3';
        return (
          <Heading>
            <Words source={block.inline} />
          </Heading>
        );
      }
      case 'code':
        return (
          <figure className="markdown-code">
            <figcaption>
              <span>{block.language}</span>
              <Copy text={() => block.text} />
            </figcaption>
            <pre tabIndex={0}>
              <code>{block.text}</code>
            </pre>
          </figure>
        );
      case 'quote':
        return (
          <blockquote>
            <Blocks blocks={block.children} top={top} />
          </blockquote>
        );
      case 'list':
        return <List block={block} top={top} />;
      case 'table':
        return <Grid block={block} />;
      default:
        return <hr />;
    }
  },
  (before, after) => before.top === after.top && JSON.stringify(before.block) === JSON.stringify(after.block),
);

type ListBlock = Extract<Block, { kind: 'list' }>;

function List({ block, top }: { readonly block: ListBlock; readonly top: number }) {
  const items = block.items.map(({ done, children }, index) => (
    // oxlint-disable-next-line react/no-array-index-key
    <li key={index} className={done === undefined ? undefined : 'task'}>
      {done === undefined ? null : <span>{done ? '☑ ' : '☐ '}</span>}
      <ItemContent blocks={children} top={top} />
    </li>
  ));
  return block.start === undefined ? <ul>{items}</ul> : <ol start={block.start}>{items}</ol>;
}

/** The words of an item stand on the line of its mark. */
function ItemContent({ blocks, top }: { readonly blocks: readonly Block[]; readonly top: number }) {
  const [first, ...rest] = blocks;
  if (first?.kind !== 'paragraph') return <Blocks blocks={blocks} top={top} />;
  return (
    <>
      <Words source={first.inline} />
      <Blocks blocks={rest} top={top} />
    </>
  );
}

function Grid({ block: { head, rows, align } }: { readonly block: Extract<Block, { kind: 'table' }> }) {
  const cell = (Cell: 'th' | 'td', source: string, column: number) => (
    <Cell key={column} className={align[column]} scope={Cell === 'th' ? 'col' : undefined}>
      <Words source={source} />
    </Cell>
  );
  return (
    <div className="markdown-table" tabIndex={0}>
      <table>
        <thead>
          <tr>{head.map((source, column) => cell('th', source, column))}</tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // oxlint-disable-next-line react/no-array-index-key
            <tr key={index}>{row.map((source, column) => cell('td', source, column))}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const Words = ({ source }: { readonly source: string }) => <Stretches inlines={parseInline(source)} />;

function Stretches({ inlines }: { readonly inlines: readonly Inline[] }): ReactNode {
  // oxlint-disable-next-line react/no-array-index-key
  return inlines.map((inline, index) => <Fragment key={index}>{stretch(inline)}</Fragment>);
}

function stretch(inline: Inline): ReactNode {
  switch (inline.kind) {
    case 'text':
      return inline.text;
    case 'code':
      return <code>{inline.text}</code>;
    case 'break':
      return <br />;
    case 'strong':
      return (
        <strong>
          <Stretches inlines={inline.children} />
        </strong>
      );
    case 'emphasis':
      return (
        <em>
          <Stretches inlines={inline.children} />
        </em>
      );
    case 'struck':
      return (
        <s>
          <Stretches inlines={inline.children} />
        </s>
      );
    default:
      return (
        <OutLink to={inline.to}>
          <Stretches inlines={inline.children} />
        </OutLink>
      );
  }
}
