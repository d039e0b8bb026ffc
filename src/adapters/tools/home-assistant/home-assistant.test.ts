import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Tool } from '#spec/ports';
import { homeAssistant, type LoopbackServer, loopbackWeb, startLoopback } from '#testkit/web';
import { toolContext } from '#testkit/tool-context';
import { tool as callService } from './ha-call-service.ts';
import { tool as getState } from './ha-get-state.ts';
import { tool as listEntities } from './ha-list-entities.ts';
import { tool as listServices } from './ha-list-services.ts';

let server: LoopbackServer;
beforeEach(async () => {
  server = await startLoopback(homeAssistant('long-lived-token'));
});
afterEach(() => server.close());

const KEYS: Record<string, string> = { HASS_URL: 'http://home.lan:8123/', HASS_TOKEN: 'long-lived-token' };
const use = (tool: Tool, input: object, keys = KEYS) =>
  tool.run(
    tool.input.parse(input),
    toolContext({ web: loopbackWeb({ 'http://home.lan:8123': server.url }), key: (name) => keys[name] }),
  );

describe('home assistant tools', () => {
  it('list what is there, narrowed and bounded', async () => {
    expect((await use(listEntities, {})).summary).toBe('4 entities');
    expect((await use(listEntities, { domain: 'light', search: 'HALL' })).content).toEqual([
      { type: 'text', text: 'light.hall (Hall): on' },
    ]);
    expect(JSON.stringify((await use(listEntities, { limit: 1 })).content)).toContain('[3 more entities;');
  });

  it('tell the state of one thing, and that there is none', async () => {
    expect(await use(getState, { entity_id: 'sensor.rack' })).toMatchObject({ summary: 'sensor.rack: 31.5' });
    const none = await use(getState, { entity_id: 'sensor.none' });
    expect(none).toMatchObject({ isError: true, summary: 'Home Assistant answered 404: Entity not found.' });
    expect(getState.input.safeParse({ entity_id: '../config' }).success).toBe(false);
  });

  it('list services without those that run programs', async () => {
    expect((await use(listServices, {})).data).toEqual({ services: ['light.turn_on', 'light.turn_off'] });
    expect(JSON.stringify((await use(listServices, { domain: 'light' })).content)).toContain(
      'light.turn_on: Turn on (fields: brightness)',
    );
  });

  it('call a service and tell what changed', async () => {
    const call = {
      domain: 'light',
      service: 'turn_on',
      entity_id: ['light.kitchen'],
      data: { brightness: 80 },
    };
    const result = await use(callService, call);
    expect(result.data).toEqual({ changed: [{ id: 'light.kitchen', state: 'on' }] });
    expect(server.requests.at(-1)?.json()).toEqual({ brightness: 80, entity_id: ['light.kitchen'] });
    expect(await use(callService, { domain: 'light', service: 'turn_on' })).toMatchObject({ isError: true });
  });

  it('answer with an error for a wrong token, without repeating it', async () => {
    const result = await use(listEntities, {}, { ...KEYS, HASS_TOKEN: 'wrong-token' });
    expect(result).toMatchObject({ isError: true });
    expect(JSON.stringify(result)).toContain('Check HASS_URL and HASS_TOKEN.');
  });

  it('are missing without a home', () => {
    expect(listEntities.missing?.(toolContext())?.fix).toContain('HASS_TOKEN');
    expect(callService.missing?.(toolContext({ key: (name) => KEYS[name] }))).toBeUndefined();
  });
});

describe('ha_call_service and the gate', () => {
  it.each([
    [2, { domain: 'light', service: 'turn_on', entity_id: 'light.kitchen' }],
    [2, { domain: 'cover', service: 'open_cover', entity_id: 'cover.bedroom_blinds' }],
    [2, { domain: 'light', service: 'turn_on', entity_id: 'light.clock' }],
    [3, { domain: 'lock', service: 'unlock', entity_id: 'lock.front' }],
    [3, { domain: 'alarm_control_panel', service: 'alarm_disarm' }],
    [3, { domain: 'cover', service: 'open_cover', entity_id: 'cover.garage' }],
    [3, { domain: 'cover', service: 'open_cover' }],
    [3, { domain: 'cover', service: 'open_cover', entity_id: ['cover.blind', 'cover.big'] }],
    [3, { domain: 'switch', service: 'turn_on', entity_id: 'switch.garage_opener' }],
    [3, { domain: 'script', service: 'open_front_door' }],
    [3, { domain: 'homeassistant', service: 'turn_off', entity_id: 'switch.x' }],
    [3, { domain: 'light', service: 'turn_on', data: { entity_id: ['lock.front'] } }],
    [3, { domain: 'homeassistant', service: 'restart' }],
  ])('is of level %i: %j', (level, call) => {
    expect(callService.effect(callService.input.parse(call))).toBe(level);
    const deed = callService.deed?.(callService.input.parse(call));
    expect(deed?.confirm !== undefined).toBe(level === 3);
  });

  it('refuses what runs programs, before and while running', async () => {
    const call = { domain: 'shell_command', service: 'reboot' };
    expect(callService.deed?.(callService.input.parse(call))?.refuse).toContain('runs programs');
    expect(await use(callService, call)).toMatchObject({ isError: true });
    expect(server.requests).toEqual([]);
  });
});
