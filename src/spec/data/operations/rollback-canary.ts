import { defineOperation } from './define-operation.ts';

export const operation = defineOperation({
  name: { en: 'roll back', zh: '回滚' },
  effect: 'set_version',
  risk: 'destructive',
  params: { from: {}, to: {} },
  rules: { en: /roll(?:ing|ed)?[- ]?backs?|revert\w*/, zh: /回滚|回退/, noun: 'rollback' },
  like: 'argocd app rollback {argocd} {to}',
  undoes: ['deploy', 'release', 'commit'],
  undo: { params: { from: 'to', to: 'from' } },
  verify: { reaches: 'to', retires: 'from' },
  tool: {
    description:
      'Rehearses the rollback of a service to a revision and shows what would change. With dry_run false it carries out the one action of an incident that a person approved.',
    input: { target_revision: 'to' },
  },
});
