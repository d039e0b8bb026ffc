import type { LoopbackHandler } from './loopback-server.ts';

interface Thing {
  entity_id: string;
  state: string;
  attributes: Record<string, unknown>;
  last_changed: string;
}

const thing = (entity_id: string, state: string, friendly_name: string): Thing => ({
  entity_id,
  state,
  attributes: { friendly_name },
  last_changed: '2026-01-01T10:00:00+00:00',
});

/** The REST API of Home Assistant with a small home behind it: services change the states of what they name. */
export function homeAssistant(token: string): LoopbackHandler {
  const home = [
    thing('light.kitchen', 'off', 'Kitchen'),
    thing('light.hall', 'on', 'Hall'),
    thing('lock.front', 'locked', 'Front door'),
    thing('sensor.rack', '31.5', 'Rack temperature'),
  ];
  const services = [
    {
      domain: 'light',
      services: { turn_on: { description: 'Turn on', fields: { brightness: {} } }, turn_off: {} },
    },
    { domain: 'shell_command', services: { reboot: {} } },
  ];
  return ({ method, path, headers, body, json }) => {
    if (headers.authorization !== `Bearer ${token}`) return { status: 401, body: '401: Unauthorized' };
    if (method === 'GET' && path === '/api/states') return { body: home };
    if (method === 'GET' && path === '/api/services') return { body: services };
    const id = /^\/api\/states\/(.+)$/.exec(path)?.[1];
    if (method === 'GET' && id) {
      const found = home.find(({ entity_id }) => entity_id === id);
      return found ? { body: found } : { status: 404, body: { message: 'Entity not found.' } };
    }
    const [, service] = /^\/api\/services\/\w+\/(\w+)$/.exec(path) ?? [];
    if (method !== 'POST' || !service) return { status: 404, body: '404: Not Found' };
    const sent = (body.length > 0 ? json() : {}) as { entity_id?: string | string[] };
    const changed = home.filter(({ entity_id }) => [sent.entity_id].flat().includes(entity_id));
    if (changed.length === 0)
      return { status: 400, body: { message: 'must contain at least one of entity_id' } };
    for (const one of changed) one.state = service.replace(/^turn_/, '');
    return { body: changed };
  };
}
