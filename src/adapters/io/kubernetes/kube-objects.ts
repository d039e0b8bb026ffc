import { z } from 'zod';

export const MARKER = 'hermes.dev/last-action';
export const FENCE = 'hermes.dev/fence';
export const RESTARTED = 'kubectl.kubernetes.io/restartedAt';
export const REVISION = 'deployment.kubernetes.io/revision';

const Strings = z.record(z.string(), z.string());

const Meta = z.looseObject({
  name: z.string(),
  uid: z.string(),
  resourceVersion: z.string(),
  annotations: Strings.default({}),
});

const Template = z.looseObject({
  metadata: z.looseObject({ labels: Strings.optional(), annotations: Strings.optional() }).nullish(),
  spec: z.looseObject({ containers: z.array(z.looseObject({ name: z.string(), image: z.string() })) }),
});
export type PodTemplate = z.infer<typeof Template>;

export const Deployment = z.looseObject({
  metadata: Meta,
  spec: z.looseObject({
    replicas: z.number().default(1),
    paused: z.boolean().optional(),
    selector: z.looseObject({ matchLabels: Strings.default({}) }),
    template: Template,
  }),
});
export type Deployment = z.infer<typeof Deployment>;

const Owner = z.looseObject({ uid: z.string(), controller: z.boolean().optional() });
export const ReplicaSets = z.looseObject({
  items: z.array(
    z.looseObject({
      metadata: Meta.extend({ ownerReferences: z.array(Owner).default([]) }),
      spec: z.looseObject({ template: Template }),
    }),
  ),
});

export const ConfigMap = z.looseObject({ metadata: Meta, data: Strings.default({}) });
export type ConfigMap = z.infer<typeof ConfigMap>;

/** One revision of a deployment that can be gone back to. */
export interface Revision {
  readonly number: number;
  readonly template: PodTemplate;
}

/** The newest first. The template is as the deployment had it: without the label that the controller adds. */
export function revisionsOf(deployment: Deployment, sets: z.infer<typeof ReplicaSets>): Revision[] {
  return sets.items
    .filter(({ metadata }) => metadata.ownerReferences.some(({ uid }) => uid === deployment.metadata.uid))
    .map(({ metadata, spec }) => ({
      number: Number(metadata.annotations[REVISION] ?? 0),
      template: withoutHash(spec.template),
    }))
    .toSorted((a, b) => b.number - a.number);
}

export const currentRevision = ({ metadata }: Deployment): number =>
  Number(metadata.annotations[REVISION] ?? 0);

function withoutHash(template: PodTemplate): PodTemplate {
  const { 'pod-template-hash': _, ...labels } = template.metadata?.labels ?? {};
  return { ...template, metadata: { ...template.metadata, labels } };
}

/** Whether a template is of this version: by the tag of an image, or by its label. */
export function isVersion({ metadata, spec }: PodTemplate, version: string): boolean {
  const { labels = {} } = metadata ?? {};
  if (labels['app.kubernetes.io/version'] === version || labels.version === version) return true;
  return spec.containers.some(
    ({ image }) => /:([^:/@]+)(?:@|$)/.exec(image)?.[1] === version || image === version,
  );
}

export const versionOf = (template: PodTemplate): string =>
  template.spec.containers.map(({ image }) => image).join(', ');
