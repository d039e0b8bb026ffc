export type { ChatEvent, ChatPerson, ServedChat } from './chat.ts';
export { openServedChat } from './open-served-chat.ts';
