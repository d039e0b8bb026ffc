import { tell } from '#kit/text';
import { fail } from '#kit/app-error';
import { type AlertSourcePlace, defineAlertSource } from '#spec/ports';
import { checkSize, parseJson, readText } from '../read-request.ts';
import { seenIds } from '../seen-ids.ts';
import { mapAlerts } from './webhook-mapping.ts';
import { type Hook, Hooks } from './webhook-settings.ts';
import { checkWebhook, isSecret } from './webhook-signature.ts';

const seen = seenIds();

/**
 * Any system that sends JSON. `webhooks.generic` in gateway.yaml says for each name how its requests are verified and where the
 * parts of an alert are. Only `verify: standard` can tell a replay: the other two sign no id.
 */
export const alertSource = defineAlertSource({
  name: 'generic',
  paths: ['/gateway/webhook/:name'],
  methods: ['POST'],
  auth: 'signed',
  missing(place) {
    const read = Hooks.safeParse(place.settings ?? {});
    if (!read.success) return problemOf(read.error);
    const hooks = Object.entries(read.data);
    if (hooks.length === 0)
      return tell(
        'No webhook stands under `webhooks.generic` in gateway.yaml.',
        'gateway.yaml 的 `webhooks.generic` 下没有任何 Webhook。',
      );
    if (hooks.some(([, hook]) => secretsOf(hook, place).length > 0)) return undefined;
    const names = hooks.flatMap(([, { secret }]) => secret);
    return tell(
      `No secret of a webhook is set, or it is none: put ${[...new Set(names)].join(' or ')} into .env.`,
      `没有设置任何 Webhook 的密钥,或其值无效:将 ${[...new Set(names)].join(' 或 ')} 写入 .env。`,
    );
  },
  async receive(request, place) {
    checkSize(request);
    const read = Hooks.safeParse(place.settings ?? {});
    if (!read.success) throw fail('config.invalid', problemOf(read.error));
    const { name = '' } = request.params;
    const hook = Object.hasOwn(read.data, name) ? read.data[name] : undefined;
    if (!hook) throw fail('input.not_found', `There is no webhook '${name.slice(0, 100)}'.`);
    const secrets = secretsOf(hook, place);
    if (secrets.length === 0)
      throw fail(
        'input.unauthorized',
        `The webhook '${name}' has no secret here, so nobody can be verified.`,
      );
    const now = place.now();
    const id = checkWebhook(hook, request, secrets, now);
    const payload = parseJson(readText(request), `The request to the webhook '${name}'`);
    const alerts = mapAlerts(name, hook, payload, now);
    if (id === undefined) return { kind: 'alerts', alerts };
    return { kind: 'alerts', alerts, undo: seen.claim(`${name} ${id}`, now) };
  },
});

const secretsOf = (hook: Hook, { key }: Pick<AlertSourcePlace, 'key'>): string[] =>
  [hook.secret].flat().flatMap((name) => {
    const secret = key(name) ?? '';
    return isSecret(hook, secret) ? [secret] : [];
  });

function problemOf({
  issues,
}: {
  readonly issues: readonly { path: PropertyKey[]; message: string }[];
}): string {
  const [issue] = issues;
  return `gateway.yaml, webhooks.generic.${issue?.path.map(String).join('.') ?? ''}: ${issue?.message ?? 'cannot be read'}.`;
}
