import { tell, type Text } from '#kit/text';
import type { Alert } from '#spec/data';
import type { OpenIncident, Placement } from '#spec/ports';

const ELSEWHERE = tell('the same alert elsewhere', '其他地方的同一告警');

interface Kind {
  readonly name: string;
  readonly cluster: string | undefined;
}

/**
 * For an alert that names no service: the one incident without a service that has the same name and cluster; for a lesser
 * alert also the one with the same name, else with the same cluster. Where two would fit, neither is taken.
 */
export function sameKind(alert: Alert, near: readonly OpenIncident[]): Placement | undefined {
  const { name, cluster } = kindOf(alert);
  const fitting: readonly [Text, (incident: OpenIncident, kind: Kind) => boolean][] = [
    [
      ELSEWHERE,
      (incident, its) => incident.service === undefined && its.name === name && its.cluster === cluster,
    ],
    [
      ELSEWHERE,
      (_, its) =>
        its.name === name && (cluster === undefined || its.cluster === undefined || its.cluster === cluster),
    ],
    [
      tell(`the same cluster, ${cluster}`, `同一集群 ${cluster}`),
      (_, its) => cluster !== undefined && its.cluster === cluster,
    ],
  ];
  const usable = alert.severity === 'P1' || alert.severity === 'P2' ? fitting.slice(0, 1) : fitting;
  for (const [why, fits] of usable) {
    const [only, second] = near.filter((incident) => fits(incident, kindOf(incident)));
    if (only && !second) return { to: 'incident', id: only.id, why };
  }
  return undefined;
}

const kindOf = ({
  title,
  labels = {},
}: {
  readonly title: string;
  readonly labels?: Readonly<Record<string, string>> | undefined;
}): Kind => ({ name: labels['alertname'] ?? title, cluster: labels['cluster'] });
