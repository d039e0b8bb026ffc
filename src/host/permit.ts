import type { Permission } from '#engines/agent';
import type { ToolCallPart } from '#spec/data';
import type { AskUser, Tool } from '#spec/ports';

/**
 * Who may do what until somebody is asked: reading, adding and changing inside the workspace, which is all that the
 * file tools can reach. What is sensitive asks a person, and is denied where there is none.
 */
export async function permit(
  tool: Tool,
  input: unknown,
  call: ToolCallPart,
  ask: AskUser | undefined,
): Promise<Permission> {
  if (tool.effect(input) < 3) return { allowed: true };
  if (!ask) return { allowed: false, reason: 'it needs a person to agree, and nobody can be asked here.' };
  const answer = await ask(`${tool.name} ${call.arguments}?`, ['yes', 'no']);
  return answer === 'yes' ? { allowed: true } : { allowed: false, reason: 'the user did not agree.' };
}
