import { weighOpinion } from '#engines/aiops';
import { fail } from '#kit/app-error';
import { tell, type Text } from '#kit/text';
import type { Incident } from '#spec/data';

/** What the evidence of an incident says to what somebody thinks its cause is. */
export function weighWords({ id, rca }: Incident, text: string): readonly Text[] {
  if (!rca)
    throw fail(
      'input.conflict',
      tell(`${id} has no diagnosis yet.`, `${id} 还没有诊断。`),
      `hermes incident look ${id}`,
    );
  return weighOpinion(rca, { text }).said;
}
