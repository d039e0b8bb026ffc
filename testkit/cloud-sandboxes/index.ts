export { type DaytonaServer, startDaytonaServer } from './daytona-server.ts';
export { type ModalServer, startModalServer } from './modal-server.ts';
export { numberIn, textIn, textsIn } from './wire.ts';
