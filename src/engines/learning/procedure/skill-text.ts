import type { Skill } from '#spec/data';
import { addHandler, addLine, replaceSteps } from './edit-document.ts';
import type { Handler, Procedure, ProcedureStep } from './procedure.ts';
import { readProcedure } from './read-procedure.ts';
import { slotLine } from './write-lines.ts';
import { editWorkflow, readWorkflow } from './workflow-text.ts';
import type { Slot } from './procedure.ts';

/** What can be read from a skill and changed in its file, whichever form it has. */
export interface SkillText {
  read(text: string): Procedure | undefined;
  addHandler(text: string, handler: Handler): string;
  addShortcut(text: string, line: string): string;
  addSlot(text: string, slot: Slot): string;
  replaceSteps(text: string, at: number, removed: number, steps: readonly ProcedureStep[]): string;
}

const DOCUMENT: SkillText = {
  read: readProcedure,
  addHandler,
  addShortcut: (text, line) => addLine(text, 'shortcuts', `- ${line}`),
  addSlot: (text, slot) => addLine(text, 'inputs', slotLine(slot)),
  replaceSteps,
};

const WORKFLOW: SkillText = {
  read: readWorkflow,
  addHandler: (text, handler) => editWorkflow(text, { handler }),
  addShortcut: (text, shortcut) => editWorkflow(text, { shortcut }),
  // What a workflow takes is declared by whoever wrote it: a step that needs more is not for it.
  addSlot: (text) => text,
  replaceSteps: (text, at, removed, steps) => editWorkflow(text, { at, removed, steps }),
};

const read = new WeakMap<Skill, { readonly procedure: Procedure | undefined }>();

/** The procedure that a skill spells out, if it does. A skill that has not changed is not read again. */
export function procedureOf(skill: Skill): Procedure | undefined {
  const before = read.get(skill) ?? { procedure: skillText(skill.form).read(skill.body) };
  read.set(skill, before);
  return before.procedure;
}

export const skillText = (form: Skill['form']): SkillText =>
  ({ document: DOCUMENT, workflow: WORKFLOW })[form];
