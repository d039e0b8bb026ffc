import { Editor, matchesKey, type TUI } from '@earendil-works/pi-tui';
import { cleanPaste, type PasteFold } from '../paste-fold.ts';
import type { Theme } from './theme.ts';

const PASTE_BEGIN = '\u001b[200~';
const PASTE_END = '\u001b[201~';

/** The editor at the bottom: long pastes fold into marks, and the arrows at its edges go through what was said before. */
export class PromptEditor extends Editor {
  private readonly folded: PasteFold;
  private readonly said: readonly string[];
  private back = -1;
  private draft = '';
  private pasting: string | undefined;

  constructor(tui: TUI, theme: Theme, pastes: PasteFold, history: readonly string[]) {
    super(tui, theme.editor, { paddingX: 1, autocompleteMaxVisible: 8 });
    this.folded = pastes;
    this.said = history;
  }

  override handleInput(data: string): void {
    if (this.takePaste(data)) return;
    if (!this.isShowingAutocomplete()) {
      if (matchesKey(data, 'up') && this.atTop()) return this.go(1);
      if (matchesKey(data, 'down') && this.back >= 0 && this.atBottom()) return this.go(-1);
      if (matchesKey(data, 'backspace') && this.dropMark()) return;
    }
    const before = this.getText();
    super.handleInput(data);
    if (this.getText() !== before) this.back = -1;
  }

  /** Empties it and forgets where in the history it was. */
  reset(text = ''): void {
    this.back = -1;
    this.setText(text);
  }

  private takePaste(data: string): boolean {
    if (this.pasting === undefined) {
      if (!data.startsWith(PASTE_BEGIN)) return false;
      this.pasting = data.slice(PASTE_BEGIN.length);
    } else this.pasting += data;
    const end = this.pasting.indexOf(PASTE_END);
    if (end < 0) return true;
    const [pasted, rest] = [this.pasting.slice(0, end), this.pasting.slice(end + PASTE_END.length)];
    this.pasting = undefined;
    this.back = -1;
    this.insertTextAtCursor(this.folded.fold(cleanPaste(pasted), this.getText()));
    if (rest) this.handleInput(rest);
    return true;
  }

  private atTop(): boolean {
    const { line, col } = this.getCursor();
    return line === 0 && (this.back >= 0 || col === 0);
  }

  private atBottom(): boolean {
    return this.getCursor().line === this.getLines().length - 1;
  }

  private go(steps: number): void {
    const to = Math.max(-1, Math.min(this.said.length - 1, this.back + steps));
    if (to === this.back) return;
    if (this.back < 0) this.draft = this.getText();
    this.setText(to < 0 ? this.draft : (this.said[to] ?? ''));
    this.back = to;
  }

  /** A mark stands for its paste as a whole, so it is deleted as a whole. */
  private dropMark(): boolean {
    const { line, col } = this.getCursor();
    const lines = this.getLines();
    const mark = this.folded.markBefore((lines[line] ?? '').slice(0, col));
    if (!mark) return false;
    for (let i = 0; i < mark.length; i++) super.handleInput('\u007f');
    return true;
  }
}
