import { z } from 'zod';

const Source = z.looseObject({ repoURL: z.string().optional(), targetRevision: z.string().optional() });

const HistoryEntry = z.looseObject({
  id: z.coerce.number().default(0),
  revision: z.string().optional(),
  revisions: z.array(z.string()).optional(),
  source: Source.optional(),
  deployedAt: z.string().optional(),
  initiatedBy: z.looseObject({ username: z.string().optional() }).optional(),
});
export type HistoryEntry = z.infer<typeof HistoryEntry>;

const OperationState = z.looseObject({
  phase: z.string(),
  message: z.string().optional(),
  startedAt: z.string().optional(),
  operation: z
    .looseObject({ sync: z.looseObject({ revision: z.string().optional() }).optional() })
    .optional(),
});

const Resource = z.looseObject({
  group: z.string().optional(),
  version: z.string().optional(),
  kind: z.string(),
  namespace: z.string().optional(),
  name: z.string(),
});
export type Resource = z.infer<typeof Resource>;

export const Application = z.looseObject({
  metadata: z.looseObject({ name: z.string() }),
  spec: z.looseObject({
    source: Source.optional(),
    syncPolicy: z
      .looseObject({ automated: z.looseObject({ enabled: z.boolean().optional() }).nullish() })
      .nullish(),
  }),
  operation: z.looseObject({}).nullish(),
  status: z.looseObject({
    history: z.array(HistoryEntry).nullish(),
    operationState: OperationState.nullish(),
    resources: z.array(Resource).nullish(),
  }),
});
export type Application = z.infer<typeof Application>;

/** The oldest first. */
export const historyOf = ({ status }: Application): HistoryEntry[] =>
  (status.history ?? []).toSorted((a, b) => a.id - b.id);

export const revisionOf = ({ revision, revisions }: HistoryEntry): string =>
  revision || (revisions ?? []).join(',');

export const isAutomated = ({ spec }: Application): boolean => {
  const automated = spec.syncPolicy?.automated;
  return automated !== null && automated !== undefined && automated.enabled !== false;
};

export const isBusy = ({ operation, status }: Application): boolean =>
  (operation !== null && operation !== undefined) || status.operationState?.phase === 'Running';
