import { isBlock, isMustache, isPath, type Template } from './parse-template.ts';

/** A name that a text uses. */
export interface NamedPath {
  readonly parts: readonly string[];
  /** Written `${…}`: it is meant to be something that the workflow makes. */
  readonly reference: boolean;
}

/** The paths that start from the root: all outside of blocks that go into a value, and there those that say so. */
export function rootsOf({ program }: Template): readonly NamedPath[] {
  const found: NamedPath[] = [];
  const see = (node: hbs.AST.Node | undefined, depth: number): void => {
    if (!node || !isPath(node)) return;
    const parts = (node as { parts: string[] }).parts;
    if (node.data && parts[0] === 'root') found.push({ parts: parts.slice(1), reference: true });
    else if (!node.data && node.depth === depth && parts.length > 0) found.push({ parts, reference: false });
  };
  const walk = (body: readonly hbs.AST.Statement[], depth: number): void => {
    for (const node of body) {
      if (isMustache(node)) see(node.path, depth);
      if (!isBlock(node)) continue;
      see(node.params[0], depth);
      const enters = isPath(node.path) && ['each', 'with'].includes(node.path.original);
      walk(node.program.body, enters ? depth + 1 : depth);
      walk(node.inverse?.body ?? [], depth);
    }
  };
  walk(program.body, 0);
  return found.filter(({ parts }) => parts.length > 0);
}
