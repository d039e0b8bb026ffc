import { tell } from '#kit/text';
import { fail } from '#kit/app-error';
import type { Language } from '#kit/language';
import { nearest } from '#kit/nearest';
import type { NotebookFiles } from '#spec/ports';
import { scanMemory, scanTold } from '../scan/scan-memory.ts';
import { type MemoryView, notebookFolder } from '../scopes.ts';
import { emptyModel, type ModelRecord, readModel } from './model-record.ts';
import { type ObservedTurn, observeTurn } from './observe-turn.ts';
import { type Profile, PROFILE_FIELDS, type ProfileField, profileOf, valueText } from './profile.ts';
import { type Traits, traitsOf } from './traits.ts';

const FILE = 'user-model.json';
const BROKEN = 'user-model.broken.json';
const MOST_CHARS = 400;
const LONGEST_VALUE = 400;

/** What is known about the user of a conversation. In a group nothing is learned and nothing is shown. */
export interface UserModel {
  observe(view: MemoryView, turn: ObservedTurn): Promise<void>;
  show(view: MemoryView, language: Language): Promise<Profile>;
  /** What is behind it all, also what is not enough yet to be told. Undefined in a group. */
  traits(view: MemoryView): Promise<Traits | undefined>;
  /** `tech_stack`, or a part such as `expertise_level.kubernetes`. What is set by hand wins over what is inferred. */
  set(view: MemoryView, path: string, value: unknown): Promise<void>;
  /** A field with all that was counted for it, a part of one, or everything. False: there was nothing. */
  erase(view: MemoryView, path?: string): Promise<boolean>;
  /** One short block for the prompt; empty when little is known. */
  promptBlock(view: MemoryView, language: Language): Promise<string>;
}

/** What is behind each field; erasing one takes this away. */
const COUNTED: Readonly<Record<ProfileField, readonly (keyof ModelRecord)[]>> = {
  tech_stack: ['tech'],
  communication_style: ['languages', 'style'],
  expertise_level: ['depth'],
  frequent_tasks: ['tasks'],
  preferences: ['preferences'],
  working_hours: ['hours'],
};

export function userModel({
  files,
  now,
}: {
  readonly files: NotebookFiles;
  readonly now: () => number;
}): UserModel {
  const load = async (view: MemoryView) =>
    readModel(await files.read(notebookFolder(view), FILE)) ?? emptyModel();
  const change = async (view: MemoryView, edit: (model: ModelRecord) => ModelRecord): Promise<void> => {
    const folder = notebookFolder(view);
    await files.edit(folder, FILE, async (text) => {
      const model = readModel(text);
      // What a person wrote is not thrown away because of a comma.
      if (!model) await files.edit(folder, BROKEN, () => text);
      return written(edit(model ?? emptyModel()));
    });
  };
  const show: UserModel['show'] = async (view, language) =>
    view.shared ? {} : profileOf(await load(view), now(), language);

  return {
    show,
    traits: async (view) => (view.shared ? undefined : traitsOf(await load(view), now())),
    observe: async (view, turn) => {
      if (!view.shared && turn.text.trim()) await change(view, (model) => observeTurn(model, turn));
    },
    set: async (view, path, value) => {
      ofOnePerson(view);
      fieldOf(path);
      const text = JSON.stringify(value);
      if (text === undefined || text.length > LONGEST_VALUE)
        throw fail('input.invalid', `The value of '${path}' is too long or none at all`);
      // As it will be read: in JSON, a line break or a hidden character would be letters.
      const { refused } = scanTold(`${path} ${valueText(JSON.parse(text))}`);
      if (refused) throw fail('input.invalid', `'${path}' was not set: ${refused}`);
      await change(view, (model) => ({ ...model, set: { ...model.set, [path]: JSON.parse(text) } }));
    },
    erase: async (view, path) => {
      ofOnePerson(view);
      if (path !== undefined) fieldOf(path);
      let erased = false;
      // The copy of a file that could not be read is about the same person.
      if (path === undefined)
        await files.edit(notebookFolder(view), BROKEN, (text) => {
          erased = text !== '';
          return '';
        });
      await files.edit(notebookFolder(view), FILE, (text) => {
        if (!text.trim()) return undefined;
        if (path === undefined) {
          erased = true;
          return '';
        }
        const before = readModel(text) ?? emptyModel();
        const after = eraseField(before, path);
        erased = JSON.stringify(after) !== JSON.stringify(before);
        return erased ? written(after) : undefined;
      });
      return erased;
    },
    promptBlock: async (view, language) => block(await show(view, language), language),
  };
}

const written = (model: ModelRecord): string => `${JSON.stringify(model, undefined, 2)}\n`;

function ofOnePerson({ shared }: MemoryView): void {
  if (shared) throw fail('input.invalid', 'A group has no user model', 'do this in a chat of your own');
}

function fieldOf(path: string): ProfileField {
  const [field = '', ...parts] = path.split('.');
  const known = PROFILE_FIELDS.find((name) => name === field);
  // The part may have dots of its own: `node.js`.
  if (known && (parts.length === 0 || parts.join('.') !== '')) return known;
  const meant = nearest(field, PROFILE_FIELDS);
  throw fail(
    'input.invalid',
    `There is no '${path}' in the user model`,
    meant ? `did you mean ${meant}?` : PROFILE_FIELDS.join(', '),
  );
}

function eraseField(model: ModelRecord, path: string): ModelRecord {
  const field = fieldOf(path);
  const part = path.slice(field.length + 1);
  const set = Object.fromEntries(
    Object.entries(model.set).filter(([key]) =>
      part ? key !== path : key !== field && !key.startsWith(`${field}.`),
    ),
  );
  const next = { ...model, set };
  if (!part) for (const key of COUNTED[field]) Object.assign(next, { [key]: emptyModel()[key] });
  else if (field === 'expertise_level') next.depth = without(model.depth, part);
  else if (field === 'tech_stack') next.tech = without(model.tech, part);
  else if (field === 'frequent_tasks') next.tasks = without(model.tasks, part);
  else if (field === 'preferences') next.preferences = model.preferences.filter(({ text }) => text !== part);
  return next;
}

const without = <T>(record: Readonly<Record<string, T>>, key: string): Record<string, T> =>
  Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));

const LABELS: Readonly<Record<ProfileField, Readonly<Record<Language, string>>>> = {
  tech_stack: { en: 'works with', zh: '常用技术' },
  communication_style: { en: 'style', zh: '沟通风格' },
  expertise_level: { en: 'knows', zh: '专业度' },
  frequent_tasks: { en: 'often asks to', zh: '常做' },
  preferences: { en: 'said', zh: '说过' },
  working_hours: { en: 'active', zh: '活跃时段' },
};

/** What the user asked for comes before what was only counted. */
const ORDER: readonly ProfileField[] = [
  'preferences',
  'communication_style',
  'expertise_level',
  'tech_stack',
  'frequent_tasks',
  'working_hours',
];

function block(profile: Profile, language: Language): string {
  const head = tell(
    'User model (inferred; what the user says now wins)',
    '用户画像(推断而来,以用户当下所说为准)',
  )[language];
  const set = tell(' (set by the user)', '(用户设定)')[language];
  let text = '';
  for (const field of ORDER) {
    const known = profile[field];
    if (!known) continue;
    const part = `${LABELS[field][language]}${tell(': ', ':')[language]}${known.value}${known.source === 'set' ? set : ''}`;
    const next = text
      ? `${text}${tell('; ', ';')[language]}${part}`
      : `${head}${tell(': ', ':')[language]}${part}`;
    // A part that no longer fits is left out; a smaller one after it may still fit.
    if (next.length + 1 <= MOST_CHARS && !scanMemory(known.value).refused) text = next;
  }
  return text && `${text}${tell('.', '。')[language]}`;
}
