import {
  type Component,
  Container,
  type Focusable,
  ProcessTerminal,
  setCapabilityOverrides,
} from '@earendil-works/pi-tui';
import type { Text } from '../../text/index.ts';
import type { Status } from '../status-line.ts';
import { hanging } from './item-lines.ts';
import { ScrollbackScreen } from './scrollback-screen.ts';
import { statusBar } from './status-bar.ts';
import type { Theme } from './theme.ts';
import { Transcript } from './transcript.ts';

/** What the chat shows: the transcript, what waits, a hint, the editor (or a question in its place), the status. */
export interface ChatScreen {
  readonly tui: ScrollbackScreen;
  readonly transcript: Transcript;
  /** What the user has said to the running turn and it has not heard yet. */
  waiting: readonly string[];
  /** A passing line above the editor. */
  hint: string;
  /** Puts a question in the place of the editor, or the editor back. */
  ask(component: (Component & Focusable) | undefined): void;
  readonly asking: boolean;
  render(): void;
  /** Puts what is shown away into the scrollback and goes on at the top of an empty screen. */
  wipe(): void;
  /** Leaves the transcript alone on the screen and gives the terminal back. */
  close(): void;
}

export interface ChatScreenOptions {
  readonly theme: Theme;
  readonly text: Text;
  readonly now: () => number;
  readonly status: () => Status;
  readonly editor: (tui: ScrollbackScreen) => Component & Focusable;
}

export function openChatScreen({ theme, text, now, status, editor }: ChatScreenOptions): ChatScreen {
  // Addresses are written out: what a link is called and where it goes are both the model's words.
  setCapabilityOverrides({ hyperlinks: false, images: null });
  const tui = new ScrollbackScreen(new ProcessTerminal());
  const transcript = new Transcript(() => tui);
  const bottom = new Container();
  const prompt = editor(tui);
  let asked: (Component & Focusable) | undefined;

  const screen: ChatScreen = {
    tui,
    transcript,
    waiting: [],
    hint: '',
    get asking() {
      return asked !== undefined;
    },
    ask: (component) => {
      asked = component;
      tui.setFocus(component ?? prompt);
      tui.requestRender();
    },
    render: () => tui.requestRender(),
    wipe: () => {
      tui.removeChild(bottom);
      tui.renderNow();
      tui.wipe();
      tui.addChild(bottom);
    },
    close: () => {
      tui.removeChild(bottom);
      tui.renderNow();
      tui.stop();
    },
  };
  const notes: Component = {
    invalidate: () => undefined,
    render: (width) => [
      '',
      ...screen.waiting.flatMap((words) => hanging('', theme.dim, text.ui.queued(words), width)),
      ...(screen.hint ? hanging(' ', theme.warn, screen.hint, width) : []),
    ],
  };
  const place: Component = {
    invalidate: () => prompt.invalidate(),
    render: (width) => (asked ?? prompt).render(width),
  };
  for (const child of [notes, place, statusBar(status, now, text, theme)]) bottom.addChild(child);
  tui.addChild(transcript);
  tui.addChild(bottom);
  tui.setFocus(prompt);
  return screen;
}
