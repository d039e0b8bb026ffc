import { defineSandbox } from '#spec/ports';
import { ModalOptions, modalMissing, openModal } from './modal-sandbox.ts';

export const sandbox = defineSandbox<ModalOptions>({
  type: 'modal',
  options: ModalOptions,
  available: (_options, place) => Promise.resolve(modalMissing(place)),
  open: openModal,
});
