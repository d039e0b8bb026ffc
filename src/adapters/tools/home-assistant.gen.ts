// Written by `npm run gen` from the files in tools/home-assistant. Do not edit.
export const homeAssistant = {
  ha_call_service: async () => (await import('./home-assistant/ha-call-service.ts')).tool,
  ha_get_state: async () => (await import('./home-assistant/ha-get-state.ts')).tool,
  ha_list_entities: async () => (await import('./home-assistant/ha-list-entities.ts')).tool,
  ha_list_services: async () => (await import('./home-assistant/ha-list-services.ts')).tool,
} as const;
